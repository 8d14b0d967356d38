import { closeSync, constants, openSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { descriptorPath, hasDescriptorPaths, O_DIRECTORY, O_NOFOLLOW, O_PATH } from './descriptors.ts'

/** A folder that is held while its entries are used. */
export interface FolderHandle {
  /** A path to an entry for one system call. Never give it more than one segment. */
  entry(name: string): string
  /** The folder itself, for reading its names. */
  readonly self: string
  /** Opens a folder below without following a link. Throws ENOTDIR for a link. */
  open(name: string): FolderHandle
  stats(): Stats
  close(): void
}

/** The root of a mount. Closing it is the mount's affair. */
export function rootHandle(mount: { root: number; dir: string }): FolderHandle {
  return hasDescriptorPaths() ? byDescriptor(mount.root, false) : byPath(mount.dir)
}

/** A folder that was opened by its descriptor; closing the handle closes it. */
export function folderHandle(descriptor: number): FolderHandle {
  return byDescriptor(descriptor, true)
}

/** Entries are reached through the open folder: renaming or swapping any name above changes nothing. */
function byDescriptor(descriptor: number, owned: boolean): FolderHandle {
  const self = descriptorPath(descriptor)
  return {
    self,
    entry: (name) => `${self}/${name}`,
    open: (name) => byDescriptor(openSync(`${self}/${name}`, O_PATH | O_DIRECTORY | O_NOFOLLOW), true),
    stats: () => statSync(self),
    close: () => {
      if (owned) closeSync(descriptor)
    },
  }
}

/**
 * Where descriptors cannot be walked: the folder's real path is compared before each use. A swap between the comparison
 * and the use is not excluded, which is why the sandbox calls itself `checked` then.
 */
function byPath(dir: string): FolderHandle {
  const check = () => {
    if (realpathSync.native(dir) !== dir) throw Object.assign(new Error('moved'), { code: 'ENOENT' })
    return dir
  }
  return {
    get self() {
      return check()
    },
    entry: (name) => `${check()}/${name}`,
    open(name) {
      closeSync(openSync(`${check()}/${name}`, constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
      return byPath(join(dir, name))
    },
    stats: () => statSync(check()),
    close: () => {},
  }
}
