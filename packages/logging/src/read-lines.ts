import { createReadStream } from 'node:fs'

const NEWLINE = 0x0a
const MAX_LINE_BYTES = 1024 * 1024

/** A line as it stands in a file. */
export interface FileLine {
  /** From 1. */
  number: number
  /** Without the newline; cut at 1 MiB. */
  bytes: Buffer
  /** False for what follows the last newline. */
  isEnded: boolean
}

/** Streams the lines of a file of any size. Rejects when the file cannot be read. */
export async function* readLines(file: string): AsyncGenerator<FileLine> {
  let number = 0
  let rest: Buffer[] = []
  let restBytes = 0
  const keep = (piece: Buffer): void => {
    if (restBytes < MAX_LINE_BYTES) rest.push(piece)
    restBytes += piece.length
  }
  const take = (isEnded: boolean): FileLine => {
    const bytes = rest.length === 1 && rest[0] ? rest[0] : Buffer.concat(rest)
    rest = []
    restBytes = 0
    number += 1
    return { number, bytes, isEnded }
  }
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, at))
      yield take(true)
      start = at + 1
    }
    if (start < chunk.length) keep(chunk.subarray(start))
  }
  if (restBytes > 0) yield take(false)
}
