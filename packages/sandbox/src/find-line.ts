import type { FileWindow } from '@kgent/contracts'
import { readBytes } from './read-bytes.ts'
import type { LineSeparator } from './text-window.ts'
import type { Turns } from './turns.ts'

/** What ends a line, as bytes, and how far apart the places are at which they may stand. */
export interface LineMark {
  separator: LineSeparator
  bytes: Buffer
  step: 1 | 2
}

const CHUNK_BYTES = 256 * 1024

const LF: LineMark = { separator: '\n', bytes: Buffer.from('\n'), step: 1 }
const CR: LineMark = { separator: '\r', bytes: Buffer.from('\r'), step: 1 }
const LF_16_LE: LineMark = { separator: '\n', bytes: Buffer.from([10, 0]), step: 2 }
const LF_16_BE: LineMark = { separator: '\n', bytes: Buffer.from([0, 10]), step: 2 }

/** What ends the lines of a large file, judged by its beginning: a line feed, unless there are carriage returns only. */
export function lineMarkOf(head: Buffer, encoding: FileWindow['encoding']): LineMark {
  if (encoding !== 'utf-8') return encoding === 'utf-16le' ? LF_16_LE : LF_16_BE
  return !head.includes(10) && head.includes(13) ? CR : LF
}

export interface LineSearch {
  /** The first bytes of the file. */
  head: Buffer
  mark: LineMark
  line: number
  turns: Turns
}

/** The byte at which a line begins, found by counting line ends; null with the number of lines when there are fewer. */
export async function findLine(
  descriptor: number,
  { head, mark, line, turns }: LineSearch,
): Promise<{ position: number | null; lines: number } | 'aborted'> {
  if (line === 1) return { position: 0, lines: 1 }
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  let lines = 1
  let position = 0
  for (let chunk = head.subarray(0, head.length & ~1); chunk.length > 0; ) {
    for (let at = next(chunk, mark, 0); at >= 0; at = next(chunk, mark, at + mark.step)) {
      lines += 1
      if (lines === line) return { position: position + at + mark.bytes.length, lines }
    }
    position += chunk.length
    if (turns.isDue() && (await turns.next()) === 'aborted') return 'aborted'
    chunk = readBytes(descriptor, position, CHUNK_BYTES, buffer)
  }
  return { position: null, lines }
}

function next(chunk: Buffer, { bytes, step }: LineMark, from: number): number {
  let at = chunk.indexOf(bytes, from)
  while (at >= 0 && at % step !== 0) at = chunk.indexOf(bytes, at + 1)
  return at
}
