import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { type FileWindow, fail, type Outcome, type ReadOptions, succeed } from '@kgent/contracts'
import { findWindow, lineEndIn, textOfWindow, totalsOf } from './byte-window.ts'
import type { SandboxLimits } from './limits.ts'
import { readBytes, readWhole } from './read-bytes.ts'
import { binaryError, decodeStrictly, encodingError, type SniffedBytes, sniff } from './text-encoding.ts'
import { lineEndOf, splitLines, type TextWindow, takeWindow, type WindowRequest } from './text-window.ts'

/** Up to here a file is read whole, so that its hash and number of lines are known. */
const WHOLE_BYTES = 2 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024
const PROBE_BYTES = 8 * 1024
/** Small files are read into one buffer again and again: none of it outlives the read. */
const scratch = Buffer.allocUnsafeSlow(32 * 1024)

export interface WindowRead {
  options: ReadOptions
  limits: SandboxLimits
  /** Bytes of the file when it was looked at. */
  size: number
}

/** Reads a window of lines from an open file. A window into a file of any size costs the window and the way to it. */
export function readWindow(
  descriptor: number,
  path: string,
  { options, limits, size }: WindowRead,
): Outcome<FileWindow> {
  const request = windowRequest(options, limits)
  if (!request.ok) return request
  const isSmall = size <= WHOLE_BYTES
  const head = readHead(descriptor, size)
  const sniffed = sniff(head)
  if (sniffed.binary) return { ok: false, error: binaryError(path, size, head) }
  const source = { descriptor, path, size, head, sniffed, request: request.value, limits }
  if (!isSmall && sniffed.encoding !== 'utf-8') {
    return fail(
      'too_large',
      `${path} is UTF-16 and larger than ${WHOLE_BYTES} bytes; windows into such files are not offered.`,
    )
  }
  return isSmall ? wholeWindow(source) : streamedWindow(source)
}

/** The whole of a file that is not large, unless it grows meanwhile; else enough to see what it is. */
function readHead(descriptor: number, size: number): Buffer {
  if (size > WHOLE_BYTES) return readBytes(descriptor, 0, PROBE_BYTES)
  if (size < scratch.length) return readBytes(descriptor, 0, scratch.length, scratch)
  return readBytes(descriptor, 0, size + 1)
}

interface Source {
  descriptor: number
  path: string
  size: number
  head: Buffer
  sniffed: SniffedBytes
  request: WindowRequest
  limits: SandboxLimits
}

function windowRequest({ offset = 1, limit }: ReadOptions, limits: SandboxLimits): Outcome<WindowRequest> {
  for (const [name, value] of [
    ['offset', offset],
    ['limit', limit ?? 1],
  ] as const) {
    if (!Number.isSafeInteger(value) || value < 1)
      return fail('invalid_input', `${name} must be a whole number of 1 or more.`)
  }
  return succeed({ offset, limit: Math.min(limit ?? limits.maxReadLines, limits.maxReadLines) })
}

function wholeWindow(source: Source): Outcome<FileWindow> {
  const { descriptor, path, request, limits, sniffed, head, size } = source
  const isAll = head.length <= size || (head.buffer === scratch.buffer && head.length < scratch.length)
  const bytes = isAll ? head : readWhole(descriptor, WHOLE_BYTES * 2)
  if (bytes === null) return fail('file_changed', `${path} grew while it was being read.`)
  const bounds = { ...request, ...limits }
  if (sniffed.encoding === 'utf-8') {
    if (!isUtf8(bytes)) return { ok: false, error: encodingError(path, bytes.length) }
    const found = findWindow(bytes, bounds, true)
    if (found) {
      const window = textOfWindow(bytes, found, { firstLine: request.offset, isWhole: true })
      return succeed(windowOf(source, { bytes, ...totalsOf(bytes, found, request.offset), window }))
    }
  }
  const text = decodeStrictly(bytes, sniffed.encoding)
  if (text === null) return { ok: false, error: encodingError(path, bytes.length) }
  const lines = splitLines(text)
  if (request.offset > Math.max(1, lines.length)) return pastTheEnd(path, lines.length)
  const place = { firstLine: request.offset, isWhole: true }
  const window = takeWindow(lines.slice(request.offset - 1), place, bounds)
  return succeed(windowOf(source, { bytes, totalLines: lines.length, eol: lineEndOf(text), window }))
}

interface WholeText {
  bytes: Buffer
  totalLines: number
  eol: FileWindow['eol']
  window: TextWindow
}

function windowOf({ path, sniffed }: Source, { bytes, totalLines, eol, window }: WholeText): FileWindow {
  return withHash(bytes, {
    path,
    ...window,
    totalLines,
    totalBytes: bytes.length,
    sha256: null,
    eol,
    bom: sniffed.bom,
    encoding: sniffed.encoding,
  })
}

/** Adds the hash: of a small file at once; of others when it is asked for, since it costs as much as the reading. */
function withHash(bytes: Buffer, window: FileWindow): FileWindow {
  if (bytes.buffer === scratch.buffer) {
    window.sha256 = hash('sha256', bytes, 'hex')
    return window
  }
  let sha256: string | undefined
  const get = () => {
    sha256 ??= hash('sha256', bytes, 'hex')
    return sha256
  }
  return Object.defineProperty(window, 'sha256', { get, enumerable: true, configurable: true })
}

/** Large files: bytes are counted through to the window's first line, and only the window is decoded. */
function streamedWindow(source: Source): Outcome<FileWindow> {
  const { descriptor, path, request, limits, size } = source
  const start = findLine(descriptor, request.offset, source.head)
  if (start.position === null) return pastTheEnd(path, start.lines)
  const wanted = limits.maxReadBytes + limits.maxLineChars * 4
  const bytes = readBytes(descriptor, start.position, wanted)
  const isWhole = start.position + bytes.length >= size
  const window = windowIn(bytes, { ...source, isWhole })
  if (window === null) return { ok: false, error: encodingError(path, size) }
  return succeed({
    path,
    ...window,
    totalLines: null,
    totalBytes: size,
    sha256: null,
    bom: source.sniffed.bom,
    encoding: 'utf-8',
  })
}

/** The window at the beginning of some bytes of a large file; null when it is not valid. */
function windowIn(
  bytes: Buffer,
  { request, limits, isWhole }: Source & { isWhole: boolean },
): (TextWindow & Pick<FileWindow, 'eol'>) | null {
  const place = { firstLine: request.offset, isWhole }
  const found = findWindow(bytes, { ...request, ...limits, offset: 1 }, isWhole)
  if (found) {
    const used = bytes.subarray(0, found.end)
    return isUtf8(used) ? { ...textOfWindow(bytes, found, place), eol: lineEndIn(used) } : null
  }
  const text = decodeStrictly(bytes.subarray(0, isWhole ? bytes.length : lastEdge(bytes)), 'utf-8')
  if (text === null) return null
  const window = takeWindow(splitLines(text), place, { ...request, ...limits })
  const cutLines = window.cutLines.map(({ line, chars }) => ({
    line,
    chars: line === window.endLine && !isWhole ? null : chars,
  }))
  return { ...window, cutLines, eol: lineEndOf(text) }
}

/** The byte at which a line begins, found by counting line feeds. */
function findLine(
  descriptor: number,
  line: number,
  head: Buffer,
): { position: number | null; lines: number } {
  let seen = 1
  let position = 0
  if (line === 1) return { position: 0, lines: 1 }
  for (let chunk = head; chunk.length > 0; chunk = readBytes(descriptor, position, CHUNK_BYTES)) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
      seen += 1
      if (seen === line) return { position: position + at + 1, lines: seen }
    }
    position += chunk.length
  }
  return { position: null, lines: seen }
}

/** Where the bytes can be cut: after the last line feed, else before a character that is not whole. */
function lastEdge(bytes: Buffer): number {
  const line = bytes.lastIndexOf(10)
  if (line >= 0) return line + 1
  let edge = bytes.length
  while (edge > 0 && ((bytes[edge - 1] ?? 0) & 0xc0) === 0x80) edge -= 1
  return edge > 0 && (bytes[edge - 1] ?? 0) >= 0xc0 ? edge - 1 : bytes.length
}

function pastTheEnd(path: string, lines: number): Outcome<never> {
  return fail(
    'invalid_input',
    `${path} has ${lines} line${lines === 1 ? '' : 's'}; the window begins after its end.`,
    {
      details: { totalLines: lines },
    },
  )
}
