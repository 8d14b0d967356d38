import { isUtf8 } from 'node:buffer'
import { closeSync } from 'node:fs'
import { type FileWindow, fail, type Outcome, succeed } from '@kgent/contracts'
import { findWindow, lineEndIn, textOfWindow } from './byte-window.ts'
import { findLine, type LineMark, lineMarkOf } from './find-line.ts'
import type { SandboxLimits } from './limits.ts'
import { readBytes } from './read-bytes.ts'
import { binaryError, decodeStrictly, encodingError, type SniffedBytes, sniff } from './text-encoding.ts'
import {
  lineEndOf,
  pastTheEnd,
  splitLines,
  type TextWindow,
  takeWindow,
  type WindowRequest,
} from './text-window.ts'
import { createTurns } from './turns.ts'
import { utf8Edge } from './utf8-edge.ts'

export interface LargeRead {
  path: string
  size: number
  request: WindowRequest
  limits: SandboxLimits
  signal: AbortSignal | undefined
}

/** Bytes of a character in UTF-8, at most. */
const CHAR_BYTES = 4

/** Reads a window of a file that is too large to be read whole, and closes it. Bytes are counted through to the first line. */
export async function readLargeFile(descriptor: number, read: LargeRead): Promise<Outcome<FileWindow>> {
  try {
    const { path, size, request, limits, signal } = read
    const head = readBytes(descriptor, 0, windowBytes(limits))
    const sniffed = sniff(head)
    if (sniffed.binary) return { ok: false, error: binaryError(path, size, head) }
    const mark = lineMarkOf(head, sniffed.encoding)
    const turns = createTurns({ signal })
    const start = await findLine(descriptor, { head, mark, line: request.offset, turns })
    if (start === 'aborted') return fail('aborted', 'Reading was cancelled.')
    if (start.position === null) return pastTheEnd(path, start.lines)
    const bytes =
      start.position === 0 ? head : readBytes(descriptor, start.position, windowBytes(limits, sniffed))
    return windowAt(bytes, { ...read, sniffed, mark, isWhole: start.position + bytes.length >= size })
  } finally {
    closeSync(descriptor)
  }
}

/** A window and the rest of its last line, which may have to be cut. */
function windowBytes({ maxReadBytes, maxLineChars }: SandboxLimits, sniffed?: SniffedBytes): number {
  const bytes = maxReadBytes + maxLineChars * CHAR_BYTES
  return sniffed && sniffed.encoding !== 'utf-8' ? bytes * 2 : bytes
}

interface Found extends LargeRead {
  sniffed: SniffedBytes
  mark: LineMark
  /** Whether the bytes reach the end of the file. */
  isWhole: boolean
}

function windowAt(bytes: Buffer, found: Found): Outcome<FileWindow> {
  const { path, size, sniffed } = found
  const { bom, encoding } = sniffed
  const isPlain = encoding === 'utf-8' && found.mark.separator === '\n'
  const window = (isPlain ? uncutWindow(bytes, found) : null) ?? decodedWindow(bytes, found)
  if (window === null) return { ok: false, error: encodingError(path, { bytes: size, encoding }) }
  return succeed({ path, ...window, totalLines: null, totalBytes: size, sha256: null, bom, encoding })
}

type LargeWindow = TextWindow & Pick<FileWindow, 'eol'>

function uncutWindow(bytes: Buffer, { request, limits, isWhole }: Found): LargeWindow | null {
  const { maxReadBytes, maxLineChars } = limits
  const bounds = { offset: 1, limit: request.limit, maxReadBytes, maxLineChars }
  const found = findWindow(bytes, bounds, isWhole)
  if (!found) return null
  const used = bytes.subarray(0, found.end)
  if (!isUtf8(used)) return null
  return { ...textOfWindow(bytes, found, { firstLine: request.offset, isWhole }), eol: lineEndIn(used) }
}

function decodedWindow(
  bytes: Buffer,
  { request, limits, isWhole, sniffed, mark }: Found,
): LargeWindow | null {
  const { encoding } = sniffed
  const end = isWhole ? bytes.length : lastEdge(bytes, encoding)
  const text = decodeStrictly(bytes.subarray(0, end), encoding)
  if (text === null) return null
  const place = { firstLine: request.offset, isWhole }
  const lines = splitLines(text, mark.separator)
  // The last line may go on behind the bytes.
  if (!isWhole && lines.length > 1) lines.pop()
  const window = takeWindow(lines, place, { ...request, ...limits })
  const cutLines = window.cutLines.map(({ line, chars }) => ({
    line,
    chars: line === window.endLine && !isWhole ? null : chars,
  }))
  return { ...window, cutLines, eol: lineEndOf(text) }
}

/** Where the bytes can be cut: before a character that is not whole. */
function lastEdge(bytes: Buffer, encoding: FileWindow['encoding']): number {
  if (encoding === 'utf-8') return utf8Edge(bytes, bytes.length)
  const even = bytes.length & ~1
  const unit = encoding === 'utf-16le' ? bytes.readUInt16LE(even - 2) : bytes.readUInt16BE(even - 2)
  return unit >= 0xd800 && unit <= 0xdbff ? even - 2 : even
}
