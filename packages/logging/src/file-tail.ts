import { hash } from 'node:crypto'
import { readSync } from 'node:fs'

const CHUNK_BYTES = 64 * 1024
const NEWLINE = 0x0a

/** Bytes at the end of a file that are no whole line: what a crash leaves of a line that was being written. */
export interface TornTail {
  /** Where it begins in the file. */
  offset: number
  bytes: number
  sha256: string
}

/** What stands at the end of a JSON Lines file. */
export interface FileTail {
  /** The last line that is a JSON object, without its newline; null when there is none. */
  lastLine: Buffer | null
  torn: TornTail | null
  /** False when the next line must first end the one before it. */
  endsWithNewline: boolean
}

/** Reads the end of a JSON Lines file, of any size, from an open descriptor. */
export function readTail(descriptor: number, size: number): FileTail {
  const lines = linesBackward(descriptor, size)
  const end = lines.next().value ?? Buffer.alloc(0)
  const endsWithNewline = end.length === 0
  if (!endsWithNewline && isJsonObject(end)) return { lastLine: end, torn: null, endsWithNewline }
  const torn = endsWithNewline
    ? null
    : { offset: size - end.length, bytes: end.length, sha256: hash('sha256', end, 'hex') }
  for (const line of lines) {
    if (isJsonObject(line)) return { lastLine: line, torn, endsWithNewline }
  }
  return { lastLine: null, torn, endsWithNewline }
}

/** Yields what follows the last newline first, then line by line towards the start. */
function* linesBackward(descriptor: number, size: number): Generator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let position = size
  while (position > 0) {
    const length = Math.min(CHUNK_BYTES, position)
    position -= length
    rest = Buffer.concat([readAt(descriptor, length, position), rest])
    for (let at = rest.lastIndexOf(NEWLINE); at >= 0; at = rest.lastIndexOf(NEWLINE)) {
      yield rest.subarray(at + 1)
      rest = rest.subarray(0, at)
    }
  }
  yield rest
}

function readAt(descriptor: number, length: number, position: number): Buffer {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(descriptor, bytes, filled, length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

function isJsonObject(line: Buffer): boolean {
  if (line[0] !== 0x7b) return false
  try {
    JSON.parse(line.toString('utf8'))
    return true
  } catch {
    return false
  }
}
