import type { Stats } from 'node:fs'
import { type Outcome, succeed } from '@kgent/contracts'
import type { FolderHandle } from './folder-handle.ts'
import type { OpenMount } from './mount-table.ts'
import { shown } from './parse-path.ts'
import { PathWalk } from './path-walk.ts'
import { systemError } from './system-error.ts'

/** Where a path leads, with everything that was opened on the way held until `release`. */
export interface Location {
  mount: OpenMount
  /** `<mount>/<path>` of the target; links are followed. */
  path: string
  kind: 'file' | 'directory' | 'other' | 'missing'
  /** The folder that holds the target; the target itself when it is a folder. */
  folder: FolderHandle
  /** Name in the folder; null for a folder. */
  name: string | null
  /** Descriptor of the target (O_PATH: it reads nothing); -1 for folders, missing targets and where there is none. */
  descriptor: number
  stats: Stats | null
  /** Names that are missing below `folder`, the target's last. */
  missing: string[]
  /** Whether the path was written as that of a folder: with a slash or a dot at its end. */
  isFolderName: boolean
  release(): void
}

/** Walks a path component by component. `..` climbs our own stack and never reaches the kernel; links are read and walked by us. */
export function locate(
  mounts: readonly OpenMount[],
  segments: readonly string[],
  written: string,
): Outcome<Location> {
  const walk = new PathWalk(mounts, written)
  try {
    const refusal = walk.run([...segments])
    if (refusal) {
      walk.release()
      return { ok: false, error: refusal }
    }
    return succeed(walk.location())
  } catch (thrown) {
    walk.release()
    return { ok: false, error: systemError(thrown, shown(walk.pathSoFar())) }
  }
}
