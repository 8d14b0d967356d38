import { type FileHandle, open } from 'node:fs/promises'

const CHUNK_BYTES = 256 * 1024
const MAX_LINE_BYTES = 4 * 1024 * 1024
const NEWLINE = 0x0a

export interface NumberedLine {
  /** From 1. */
  number: number
  text: string
}

/** Where reading of a growing file stopped: always after a newline. */
export interface LinePosition {
  offset: number
  lines: number
}

export const START: LinePosition = { offset: 0, lines: 0 }

/**
 * Yields the whole lines of a JSON Lines file from a position on, and the position after each. An unfinished last line is
 * left for the next time; blank lines are passed over; a line beyond 4 MiB comes as empty text. A missing file has none.
 */
export async function* readNewLines(
  file: string,
  from: LinePosition = START,
): AsyncGenerator<{ line: NumberedLine; next: LinePosition }> {
  const handle = await openIfThere(file)
  if (!handle) return
  try {
    yield* linesOf(handle, from)
  } finally {
    await handle.close()
  }
}

async function openIfThere(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, 'r')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw thrown
  }
}

async function* linesOf(handle: FileHandle, from: LinePosition) {
  const buffer = Buffer.alloc(CHUNK_BYTES)
  let { offset, lines } = from
  let rest: Buffer = Buffer.alloc(0)
  let dropped = 0
  let position = offset
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) return
    position += bytesRead
    rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const text = dropped > 0 ? '' : rest.toString('utf8', 0, end)
      offset += dropped + end + 1
      lines += 1
      rest = rest.subarray(end + 1)
      if (text.trim() !== '' || dropped > 0) yield { line: { number: lines, text }, next: { offset, lines } }
      dropped = 0
    }
    if (rest.length > MAX_LINE_BYTES) {
      dropped += rest.length
      rest = Buffer.alloc(0)
    }
  }
}
