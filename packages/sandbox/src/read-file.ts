import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { type FileWindow, fail, type Outcome, type ReadOptions, succeed } from '@kgent/contracts'
import { countLines, findWindow, lineEndIn, textOfWindow } from './byte-window.ts'
import type { SandboxLimits } from './limits.ts'
import { type OpenTarget, openTarget } from './open-file.ts'
import { readBytes, readWhole } from './read-bytes.ts'
import { readLargeFile } from './read-large-file.ts'
import { binaryError, decodeStrictly, encodingError, type SniffedBytes, sniff } from './text-encoding.ts'
import {
  lineEndOf,
  pastTheEnd,
  separatorOf,
  splitLines,
  type TextWindow,
  takeWindow,
  type WindowRequest,
} from './text-window.ts'

/** Up to here a file is read whole, so that its hash and number of lines are known. */
const WHOLE_BYTES = 2 * 1024 * 1024

export interface WindowRead {
  options: ReadOptions
  limits: SandboxLimits
}

/** Reads a window of lines from a located file. A window into a file of any size costs the window and the way to it. */
export function readTarget(
  target: OpenTarget,
  { options, limits }: WindowRead,
): Outcome<FileWindow> | Promise<Outcome<FileWindow>> {
  const request = windowRequest(options, limits)
  if (!request.ok) return request
  if (options.signal?.aborted) return fail('aborted', 'Reading was cancelled.')
  const { path } = target
  const size = target.stats?.size ?? 0
  const descriptor = openTarget(target)
  if (size > WHOLE_BYTES)
    return readLargeFile(descriptor, { path, size, request: request.value, limits, signal: options.signal })
  const bytes = readAndClose(descriptor, size)
  if (bytes === null) return fail('file_changed', `${path} grew while it was being read.`)
  return windowOfWhole(bytes, { path, request: request.value, limits })
}

function windowRequest({ offset, limit }: ReadOptions, limits: SandboxLimits): Outcome<WindowRequest> {
  if (!isCount(offset)) return fail('invalid_input', 'offset must be a whole number of 1 or more.')
  if (!isCount(limit)) return fail('invalid_input', 'limit must be a whole number of 1 or more.')
  const { maxReadLines } = limits
  return succeed({ offset: offset ?? 1, limit: Math.min(limit ?? maxReadLines, maxReadLines) })
}

function isCount(value: number | null | undefined): boolean {
  return value === undefined || value === null || (Number.isSafeInteger(value) && value >= 1)
}

/** Read into again and again: nothing of it outlives the read. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024)

/** All bytes of a file, valid until the next read; null when it grows beyond what is read whole. */
function readAndClose(descriptor: number, size: number): Buffer | null {
  try {
    if (scratch.length <= size) scratch = Buffer.allocUnsafeSlow(size * 2)
    // One more than there should be: a file that is longer than was said shows itself.
    const bytes = readBytes(descriptor, 0, size === 0 ? scratch.length : size + 1, scratch)
    return bytes.length <= size ? bytes : readWhole(descriptor, WHOLE_BYTES * 2)
  } finally {
    closeSync(descriptor)
  }
}

interface Whole {
  path: string
  request: WindowRequest
  limits: SandboxLimits
}

function windowOfWhole(bytes: Buffer, whole: Whole): Outcome<FileWindow> {
  const { path, request, limits } = whole
  const sniffed = sniff(bytes)
  if (sniffed.binary) return { ok: false, error: binaryError(path, bytes.length, bytes) }
  return (
    (sniffed.encoding === 'utf-8' ? uncutWindow(bytes, whole, sniffed) : null) ??
    decodedWindow(bytes, { path, request, limits, sniffed })
  )
}

/** The window found in the bytes, of which only the window is decoded; null where that does not do. */
function uncutWindow(bytes: Buffer, { path, request, limits }: Whole, sniffed: SniffedBytes) {
  const { maxReadBytes, maxLineChars } = limits
  const found = findWindow(bytes, { ...request, maxReadBytes, maxLineChars }, true)
  if (!found || !isUtf8(bytes)) return null
  const window = textOfWindow(bytes, found, { firstLine: request.offset, isWhole: true })
  const totalLines = countLines(bytes, found.end, request.offset - 1 + found.lines)
  const file = { path, bytes, totalLines, eol: lineEndIn(bytes), sniffed }
  return succeed(windowOf(window, file))
}

function decodedWindow(bytes: Buffer, whole: Whole & { sniffed: SniffedBytes }): Outcome<FileWindow> {
  const { path, request, limits, sniffed } = whole
  const { encoding } = sniffed
  const text = decodeStrictly(bytes, encoding)
  if (text === null) return { ok: false, error: encodingError(path, { bytes: bytes.length, encoding }) }
  const lines = splitLines(text, separatorOf(text))
  if (request.offset > Math.max(1, lines.length)) return pastTheEnd(path, lines.length)
  const place = { firstLine: request.offset, isWhole: true }
  const window = takeWindow(lines.slice(request.offset - 1), place, { ...request, ...limits })
  return succeed(windowOf(window, { path, bytes, totalLines: lines.length, eol: lineEndOf(text), sniffed }))
}

interface WholeFile {
  path: string
  bytes: Buffer
  totalLines: number
  eol: FileWindow['eol']
  sniffed: SniffedBytes
}

function windowOf(window: TextWindow, { path, bytes, totalLines, eol, sniffed }: WholeFile): FileWindow {
  const { text, startLine, endLine, truncated, nextOffset, cutLines } = window
  const { bom, encoding } = sniffed
  const isAll = encoding === 'utf-8' && startLine <= 1 && !truncated
  // The text of a whole file has the hash of its bytes. It is made when somebody looks: it costs as much as the reading.
  let known = isAll ? null : hash('sha256', bytes, 'hex')
  return {
    path,
    text,
    startLine,
    endLine,
    totalLines,
    totalBytes: bytes.length,
    truncated,
    nextOffset,
    get sha256() {
      known ??= hash('sha256', text, 'hex')
      return known
    },
    eol,
    bom,
    encoding,
    cutLines,
  }
}
