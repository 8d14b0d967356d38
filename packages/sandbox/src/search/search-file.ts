import type { LineMatcher } from './compile-pattern.ts'
import { type MatchingLine, searchBlock } from './search-block.ts'
import { searchLongLine } from './search-long-line.ts'
import type { SearchSource } from './search-source.ts'

/** Files are read in parts of this size; a line that does not fit is searched in pieces. */
export const BLOCK_BYTES = 128 * 1024

export interface FileSearch {
  matcher: LineMatcher
  /** Of `BLOCK_BYTES`, used for every part of every file. */
  buffer: Buffer
}

/** Searches a file part by part. Null is given in between, where others may get their turn. */
export function* searchFile(
  source: SearchSource,
  { matcher, buffer }: FileSearch,
): Generator<MatchingLine | null> {
  let line = 1
  let position = source.start
  let bytes = source.head.subarray(source.start, source.start + BLOCK_BYTES)
  while (bytes.length > 0) {
    const isLast = position + bytes.length >= source.size
    const end = isLast ? bytes.length : bytes.lastIndexOf(10) + 1
    if (end > 0) {
      line = yield* searchBlock(bytes.subarray(0, end), { matcher, line, position, isLast })
      position += end
    } else {
      position = yield* searchLongLine(source, { matcher, buffer, line, position })
      line += 1
    }
    yield null
    bytes = source.read(position, BLOCK_BYTES, buffer)
  }
}
