import { closeSync, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from 'node:fs'
import { type ErrorInfo, errorInfo, type Outcome, succeed } from '@kgent/contracts'
import { hasDescriptorPaths, O_NOFOLLOW, O_PATH } from './descriptors.ts'
import { type FolderHandle, folderHandle, rootHandle } from './folder-handle.ts'
import type { OpenMount } from './mount-table.ts'
import { shown } from './parse-path.ts'
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
  release(): void
}

const MAX_LINKS = 40

interface Step {
  name: string
  handle: FolderHandle
}

/** Walks a path component by component. `..` climbs our own stack and never reaches the kernel; links are read and walked by us. */
export function locate(
  mounts: readonly OpenMount[],
  segments: readonly string[],
  written: string,
): Outcome<Location> {
  const walk = new Walk(mounts, written)
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

class Walk {
  readonly #mounts: readonly OpenMount[]
  readonly #written: string
  #mount: OpenMount | null = null
  #stack: Step[] = []
  #leaf: { name: string; descriptor: number; stats: Stats } | null = null
  #missing: string[] = []
  #links = 0

  constructor(mounts: readonly OpenMount[], written: string) {
    this.#mounts = mounts
    this.#written = written
  }

  /** Walks all segments; an error is a refusal. */
  run(queue: string[]): ErrorInfo | null {
    const entered = this.#enterMount(queue)
    if (entered) return entered
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const refusal = this.#step(name, queue)
      if (refusal) return refusal
    }
    return null
  }

  #enterMount(queue: string[]): ErrorInfo | null {
    const mount = this.#mounts.find(({ name }) => startsWith(queue, name.split('/')))
    if (!mount) return this.#outside()
    queue.splice(0, mount.name.split('/').length)
    this.#restart(mount)
    return null
  }

  #restart(mount: OpenMount): void {
    for (const { handle } of this.#stack.splice(0)) handle.close()
    this.#mount = mount
    this.#stack.push({ name: '', handle: rootHandle(mount) })
  }

  #step(name: string, queue: string[]): ErrorInfo | null {
    if (this.#leaf) return errorInfo('not_a_directory', `${shown(this.pathSoFar())} is a file, not a folder.`)
    if (name === '.') return null
    if (name === '..') return this.#climb()
    if (this.#missing.length > 0) {
      this.#missing.push(name)
      return null
    }
    return this.#enter(name, queue)
  }

  #climb(): ErrorInfo | null {
    if (this.#missing.length > 0) {
      this.#missing.pop()
      return null
    }
    if (this.#stack.length <= 1) return this.#outside()
    this.#stack.pop()?.handle.close()
    return null
  }

  /** One component. On the way a folder is expected; the last one may be anything, so it is looked at first. */
  #enter(name: string, queue: string[]): ErrorInfo | null {
    try {
      if (queue.length === 0 && hasDescriptorPaths()) return this.#lookAt(name, queue)
      const { handle } = this.#top()
      this.#stack.push({ name, handle: handle.open(name) })
      return null
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ELOOP') throw thrown
      if (code !== 'ENOENT') return this.#lookAt(name, queue)
      this.#missing.push(name)
      return null
    }
  }

  /** Opens whatever is there without touching it, and sees what it is: a folder, a link, or the end of the path. */
  #lookAt(name: string, queue: string[]): ErrorInfo | null {
    const path = this.#top().handle.entry(name)
    const descriptor = hasDescriptorPaths() ? openSync(path, O_PATH | O_NOFOLLOW) : -1
    const stats = descriptor >= 0 ? fstatSync(descriptor) : lstatSync(path)
    if (stats.isDirectory() && descriptor >= 0) {
      this.#stack.push({ name, handle: folderHandle(descriptor) })
      return null
    }
    if (!stats.isSymbolicLink()) {
      this.#leaf = { name, descriptor, stats }
      return null
    }
    if (descriptor >= 0) closeSync(descriptor)
    return this.#countLink() ?? this.#follow(readlinkSync(path), queue)
  }

  #countLink(): ErrorInfo | null {
    this.#links += 1
    return this.#links > MAX_LINKS
      ? errorInfo('link_loop', `Links lead in a circle on ${shown(this.#written)}.`)
      : null
  }

  #follow(target: string, queue: string[]): ErrorInfo | null {
    const segments = target.split('/').filter((segment) => segment !== '')
    if (!target.startsWith('/')) {
      queue.unshift(...segments)
      return null
    }
    const mount = this.#mounts.find(({ dir }) => startsWith(segments, dir.split('/').filter(Boolean)))
    if (!mount) return this.#outside()
    queue.unshift(...segments.slice(mount.dir.split('/').filter(Boolean).length))
    this.#restart(mount)
    return null
  }

  #top(): Step {
    return this.#stack[this.#stack.length - 1] as Step
  }

  #outside(): ErrorInfo {
    const names = this.#mounts.map(({ name }) => name).join(', ')
    return errorInfo(
      'path_outside',
      `${shown(this.#written)} leads out of the sandbox, whose folders are: ${names}.`,
    )
  }

  pathSoFar(): string {
    const names = this.#stack.slice(1).map(({ name }) => name)
    return [
      this.#mount?.name ?? this.#written,
      ...names,
      ...(this.#leaf ? [this.#leaf.name] : []),
      ...this.#missing,
    ].join('/')
  }

  location(): Location {
    const { handle } = this.#top()
    const leaf = this.#leaf
    return {
      mount: this.#mount as OpenMount,
      path: this.pathSoFar(),
      kind: leaf
        ? leaf.stats.isFile()
          ? 'file'
          : 'other'
        : this.#missing.length > 0
          ? 'missing'
          : 'directory',
      folder: handle,
      name: leaf?.name ?? null,
      descriptor: leaf?.descriptor ?? -1,
      stats: leaf?.stats ?? null,
      missing: this.#missing,
      release: () => this.release(),
    }
  }

  release(): void {
    for (const { handle } of this.#stack.splice(0)) handle.close()
    if (this.#leaf && this.#leaf.descriptor >= 0) closeSync(this.#leaf.descriptor)
    this.#leaf = null
  }
}

function startsWith(segments: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((name, index) => segments[index] === name)
}
