import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import type { SkipCounts } from '@kgent/contracts'
import { descriptorPath, hasDescriptorPaths, O_NOFOLLOW, O_NONBLOCK, O_PATH } from '../descriptors.ts'
import type { OpenMount } from '../mount-table.ts'
import { isShared } from '../open-file.ts'
import { readBytes } from '../read-bytes.ts'
import { decodeStrictly, sniff } from '../text-encoding.ts'
import type { TreeEntry } from '../walk-tree.ts'

/** Larger files are searched in their first part only up to this, and said to be too large. */
const MAX_FILE_BYTES = 512 * 1024 * 1024

/** Reads a file for searching, or says why it is left out. What is opened is looked at before it is read. */
export function readForSearch(
  entry: TreeEntry,
  mount: OpenMount,
): { bytes: Buffer } | { skip: keyof SkipCounts } {
  let descriptor: number
  try {
    descriptor = openForSearch(entry)
  } catch {
    return { skip: 'unreadable' }
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return { skip: 'special' }
    if (isShared(stats, mount)) return { skip: 'hardLink' }
    if (stats.size > MAX_FILE_BYTES) return { skip: 'tooLarge' }
    return textOf(readBytes(descriptor, 0, stats.size))
  } catch {
    return { skip: 'unreadable' }
  } finally {
    closeSync(descriptor)
  }
}

function openForSearch({ folder, name }: TreeEntry): number {
  if (!hasDescriptorPaths()) return openSync(folder.entry(name), constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  const located = openSync(folder.entry(name), O_PATH | O_NOFOLLOW)
  try {
    if (!fstatSync(located).isFile()) throw new Error('no regular file')
    return openSync(descriptorPath(located), constants.O_RDONLY)
  } finally {
    closeSync(located)
  }
}

function textOf(bytes: Buffer): { bytes: Buffer } | { skip: keyof SkipCounts } {
  const { binary, encoding } = sniff(bytes)
  if (binary) return { skip: 'binary' }
  if (encoding === 'utf-8') return { bytes }
  const text = decodeStrictly(bytes, encoding)
  return text === null ? { skip: 'binary' } : { bytes: Buffer.from(text.replace(/^\uFEFF/, ''), 'utf8') }
}
