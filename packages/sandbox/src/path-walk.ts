import { closeSync, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from 'node:fs'
import { isAbsolute } from 'node:path'
import { type ErrorInfo, errorInfo } from '@kgent/contracts'
import { hasDescriptorPaths, O_NOFOLLOW, O_PATH } from './descriptors.ts'
import { type FolderHandle, folderHandle, rootHandle } from './folder-handle.ts'
import type { Location } from './locate.ts'
import { isNestedMount, isRootOf, type OpenMount } from './mount-table.ts'
import { shown } from './parse-path.ts'
import { realSpelling } from './spelling.ts'

const MAX_LINKS = 40
const onWindows = process.platform === 'win32'

interface Step {
  name: string
  handle: FolderHandle
}

/** The way along a path. It holds all folders on it until `release`. */
export class PathWalk {
  readonly #mounts: readonly OpenMount[]
  readonly #written: string
  #mount: OpenMount | null = null
  #stack: Step[] = []
  #leaf: { name: string; descriptor: number; stats: Stats } | null = null
  #missing: string[] = []
  #links = 0
  #isFolderName = false

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
    if (name === '.') {
      this.#isFolderName = queue.length === 0
      return null
    }
    if (name === '..') return this.#climb()
    if (this.#missing.length > 0) {
      this.#missing.push(name)
      return null
    }
    return onWindows && name.includes(':') ? this.#outside() : this.#enter(name, queue)
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
      this.#push(name, handle.open(name))
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
      this.#push(name, folderHandle(descriptor))
      return null
    }
    if (!stats.isSymbolicLink()) {
      this.#leaf = { name: this.#spelling(name), descriptor, stats }
      return null
    }
    if (descriptor >= 0) closeSync(descriptor)
    return this.#countLink() ?? this.#follow(readlinkSync(path), queue)
  }

  /** Goes into a folder; into another mount where the folder is that mount's root. */
  #push(name: string, handle: FolderHandle): void {
    const other = this.#mountAt(handle)
    this.#stack.push({ name: this.#spelling(name), handle })
    if (other) this.#restart(other)
  }

  #mountAt(handle: FolderHandle): OpenMount | undefined {
    if (!this.#mount || this.#mount.nested.length === 0) return undefined
    const stats = handle.stats()
    return isNestedMount(this.#mount, stats)
      ? this.#mounts.find((mount) => isRootOf(mount, stats))
      : undefined
  }

  #spelling(name: string): string {
    return this.#mount?.hasAliases ? realSpelling(this.#top().handle.self, name) : name
  }

  #countLink(): ErrorInfo | null {
    this.#links += 1
    return this.#links > MAX_LINKS
      ? errorInfo('link_loop', `Links lead in a circle on ${shown(this.#written)}.`)
      : null
  }

  #follow(target: string, queue: string[]): ErrorInfo | null {
    const segments = segmentsOf(target)
    if (!isAbsolute(target)) {
      queue.unshift(...segments)
      return null
    }
    const [mount] = this.#mounts
      .filter(({ dir }) => startsWith(segments, segmentsOf(dir)))
      .sort((a, b) => b.dir.length - a.dir.length)
    if (!mount) return this.#outside()
    queue.unshift(...segments.slice(segmentsOf(mount.dir).length))
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
      isFolderName: this.#isFolderName,
      release: () => this.release(),
    }
  }

  release(): void {
    for (const { handle } of this.#stack.splice(0)) handle.close()
    if (this.#leaf && this.#leaf.descriptor >= 0) closeSync(this.#leaf.descriptor)
    this.#leaf = null
  }
}

function segmentsOf(path: string): string[] {
  return (onWindows ? path.replaceAll('\\', '/') : path).split('/').filter(Boolean)
}

function startsWith(segments: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((name, index) => segments[index] === name)
}
