import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { KgentError } from '@kgent/contracts'
import type { LoadedConfig } from './load-config.ts'
import type { RunFolder } from './run-folder.ts'

/** A folder of the host's that agents may see. */
export interface HostMount {
  /** Agents see `<name>/<path>`. */
  name: string
  /** Host folder. Relative ones start from the working folder. */
  dir: string
  /** Default `ro`. */
  mode?: 'ro' | 'rw'
  hardLinks?: 'allow' | 'refuse'
}

const RESERVED = ['workspace', 'deliverables', 'artifacts', 'skills']

/**
 * The mounts of a run: its own folders, and the host's.
 *
 * **Throws:** `KgentError` (`config_invalid`) for a reserved or doubled name, or a folder that is not there.
 */
export function runMounts(folder: RunFolder, loaded: LoadedConfig, given: readonly HostMount[]): HostMount[] {
  const configured = (loaded.config.sandbox?.mounts ?? []).map((mount, index) => ({
    mount: { ...mount, dir: resolve(loaded.baseDir, mount.dir) },
    place: `${loaded.label}.sandbox.mounts[${index}]`,
  }))
  const passed = given.map((mount, index) => ({
    mount: { ...mount, dir: resolve(mount.dir) },
    place: `mounts[${index}]`,
  }))
  const own: HostMount[] = [
    { name: 'workspace', dir: folder.workspace, mode: 'rw', hardLinks: 'refuse' },
    { name: 'deliverables', dir: folder.deliverables, mode: 'rw', hardLinks: 'refuse' },
    { name: 'artifacts', dir: folder.artifacts, mode: 'ro' },
  ]
  const seen = new Set<string>()
  for (const { mount, place } of [...configured, ...passed])
    checkMount(mount, place, { seen, runDir: folder.dir })
  return [
    ...own,
    ...configured.map(({ mount }) => cleaned(mount)),
    ...passed.map(({ mount }) => cleaned(mount)),
  ]
}

function checkMount(mount: HostMountLike, place: string, known: { seen: Set<string>; runDir: string }): void {
  if (RESERVED.includes(mount.name) || mount.name.startsWith('skills/')) {
    throw new KgentError(
      'config_invalid',
      `${place}.name: ${mount.name} is a folder of the run itself. Choose another name.`,
    )
  }
  if (known.seen.has(mount.name))
    throw new KgentError('config_invalid', `${place}.name: there are two mounts named ${mount.name}.`)
  known.seen.add(mount.name)
  const stats = statSync(mount.dir, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) {
    throw new KgentError(
      'config_invalid',
      `${place}.dir: ${mount.dir} ${stats ? 'is not a folder' : 'does not exist'}.`,
    )
  }
  if (mount.mode === 'rw' && (holds(mount.dir, known.runDir) || holds(known.runDir, mount.dir))) {
    throw new KgentError(
      'config_invalid',
      `${place}.dir: a writable mount must not hold the run's own folder or lie in it, or its logs could be changed.`,
    )
  }
}

interface HostMountLike {
  name: string
  dir: string
  mode?: 'ro' | 'rw' | undefined
  hardLinks?: 'allow' | 'refuse' | undefined
}

function cleaned({ name, dir, mode, hardLinks }: HostMountLike): HostMount {
  return { name, dir, mode: mode ?? 'ro', ...(hardLinks && { hardLinks }) }
}

function holds(outer: string, inner: string): boolean {
  const real = realpathSync(outer)
  const path = realpathSync(inner)
  return path === real || path.startsWith(real.endsWith('/') ? real : `${real}/`)
}
