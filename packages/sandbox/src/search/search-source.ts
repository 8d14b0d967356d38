import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import type { SkipCounts } from '@kgent/contracts'
import { descriptorPath, hasDescriptorPaths, O_NOFOLLOW, O_NONBLOCK, O_PATH } from '../descriptors.ts'
import type { OpenMount } from '../mount-table.ts'
import { isShared } from '../open-file.ts'
import { readBytes } from '../read-bytes.ts'
import { decodeStrictly, sniff } from '../text-encoding.ts'
import type { TreeEntry } from '../walk-tree.ts'

/** UTF-16 is turned into UTF-8 as a whole, so it is bounded. */
const MAX_UTF16_BYTES = 64 * 1024 * 1024
const UTF8_MARK_BYTES = 3

/** A text file that is being searched, as UTF-8. */
export interface SearchSource {
  readonly size: number
  /** Where the text begins: behind a byte order mark. */
  readonly start: number
  /** The first bytes of the file, mark and all, until the next read into the same buffer. */
  readonly head: Buffer
  /** Bytes from a place on; fewer at the end. With a buffer, they are put into it. */
  read(position: number, length: number, buffer?: Buffer): Buffer
  close(): void
}

/**
 * Opens a file for searching and reads its first part into a buffer, or says why it is left out. What is opened is looked
 * at before it is read.
 */
export function openSource(
  entry: Pick<TreeEntry, 'folder' | 'name'>,
  { mount, buffer }: { mount: OpenMount; buffer: Buffer },
): SearchSource | keyof SkipCounts {
  let descriptor = -1
  let source: SearchSource | keyof SkipCounts = 'unreadable'
  try {
    descriptor = openForSearch(entry)
    source = descriptor < 0 ? 'special' : sourceOf(descriptor, mount, buffer)
  } catch {
    // the operating system refuses it, or it went away
  }
  if (typeof source === 'string' && descriptor >= 0) closeSync(descriptor)
  return source
}

/** A descriptor for reading; -1 for what is no regular file. */
function openForSearch({ folder, name }: Pick<TreeEntry, 'folder' | 'name'>): number {
  if (!hasDescriptorPaths()) return openSync(folder.entry(name), constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  const located = openSync(folder.entry(name), O_PATH | O_NOFOLLOW)
  try {
    return fstatSync(located).isFile() ? openSync(descriptorPath(located), constants.O_RDONLY) : -1
  } finally {
    closeSync(located)
  }
}

function sourceOf(descriptor: number, mount: OpenMount, buffer: Buffer): SearchSource | keyof SkipCounts {
  const stats = fstatSync(descriptor)
  if (!stats.isFile()) return 'special'
  if (isShared(stats, mount)) return 'hardLink'
  const { size } = stats
  const head = readBytes(descriptor, 0, Math.min(size, buffer.length), buffer)
  const { binary, encoding, bom } = sniff(head)
  if (binary) return 'binary'
  if (encoding !== 'utf-8') return utf16Source(descriptor, size)
  return {
    size,
    start: bom ? UTF8_MARK_BYTES : 0,
    head,
    read: (position, length, into) =>
      readBytes(descriptor, position, Math.max(0, Math.min(length, size - position)), into),
    close: () => closeSync(descriptor),
  }
}

function utf16Source(descriptor: number, size: number): SearchSource | keyof SkipCounts {
  if (size > MAX_UTF16_BYTES) return 'tooLarge'
  const bytes = readBytes(descriptor, 0, size)
  const text = decodeStrictly(bytes, sniff(bytes).encoding)
  if (text === null) return 'binary'
  const utf8 = Buffer.from(text, 'utf8')
  return {
    size: utf8.length,
    start: UTF8_MARK_BYTES,
    head: utf8,
    read: (position, length) => utf8.subarray(position, position + length),
    close: () => closeSync(descriptor),
  }
}
