import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { O_DIRECTORY, O_NOFOLLOW } from './descriptors.ts'
import type { FolderHandle } from './folder-handle.ts'
import type { Location } from './locate.ts'
import { temporaryName } from './temporary-name.ts'

/** `disk`: what was written, and its name, are also synced. */
export type Durability = 'os' | 'disk'

export interface PutOptions {
  durability: Durability
  /** Nothing is put where the file is not the one that was located any more. */
  mustBeUnchanged: boolean
}

/** Permission bits that are kept; set-user and set-group bits are not, as when a file is written in place. */
const KEPT_MODE = 0o777

/**
 * Writes beside the target and renames. Only names below held folders are used: nothing can be redirected. False when the
 * file had to be unchanged and was not. **Throws:** what the operating system reports; the old content is whole then.
 */
export function putFile(location: Location, bytes: Buffer, options: PutOptions): boolean {
  const made: FolderHandle[] = []
  try {
    const folder = makeFolders(location, { made, durability: options.durability })
    const temporary = folder.entry(temporaryName())
    try {
      writeNew(temporary, bytes, { like: location.stats, durability: options.durability })
      const target = folder.entry(location.name ?? location.missing.at(-1) ?? '')
      if (options.mustBeUnchanged && !isSame(location.stats, target)) {
        unlinkSync(temporary)
        return false
      }
      renameSync(temporary, target)
    } catch (thrown) {
      removeQuietly(temporary)
      throw thrown
    }
    if (options.durability === 'disk') syncFolder(folder)
    return true
  } finally {
    for (const handle of made) handle.close()
  }
}

function makeFolders(
  { folder: start, missing }: Location,
  { made, durability }: { made: FolderHandle[]; durability: Durability },
): FolderHandle {
  let folder = start
  for (const name of missing.slice(0, -1)) {
    try {
      mkdirSync(folder.entry(name))
      if (durability === 'disk') syncFolder(folder)
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
    }
    folder = folder.open(name)
    made.push(folder)
  }
  return folder
}

function writeNew(
  path: string,
  bytes: Buffer,
  { like, durability }: { like: Stats | null; durability: Durability },
): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW
  const descriptor = openSync(path, flags, 0o666)
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
    if (like) {
      keepOwner(descriptor, like)
      fchmodSync(descriptor, like.mode & KEPT_MODE)
    }
    if (durability === 'disk') fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Where a file of another owner is replaced, as root can: it stays theirs. */
function keepOwner(descriptor: number, { uid, gid }: Stats): void {
  if (process.geteuid?.() !== 0 || (uid === 0 && gid === process.getegid?.())) return
  try {
    fchownSync(descriptor, uid, gid)
  } catch {
    // a disk without owners
  }
}

/** Whether the file of a name is the one that was located, as it was then. */
function isSame(located: Stats | null, path: string): boolean {
  const now = lstatSync(path, { throwIfNoEntry: false })
  if (!located || !now) return !located && !now
  return now.ino === located.ino && now.size === located.size && now.mtimeMs === located.mtimeMs
}

/** Windows syncs no folders. */
function syncFolder(folder: FolderHandle): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder.self, constants.O_RDONLY | O_DIRECTORY)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // it was never made, or has its name already
  }
}
