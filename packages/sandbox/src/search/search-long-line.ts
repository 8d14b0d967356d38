import { utf8Edge } from '../utf8-edge.ts'
import type { LineMatcher } from './compile-pattern.ts'
import type { MatchingLine } from './search-block.ts'
import type { SearchSource } from './search-source.ts'

/** Pieces overlap, so that a match of up to this many bytes is found wherever they are cut. */
const OVERLAP_BYTES = 16 * 1024

export interface LongLine {
  matcher: LineMatcher
  buffer: Buffer
  line: number
  /** Where the line begins. */
  position: number
}

/**
 * Searches a line that is longer than the buffer, in pieces, up to its first match; returns where the next line begins.
 * A match that is longer than the overlap of the pieces may be missed.
 */
export function* searchLongLine(
  source: SearchSource,
  { matcher, buffer, line, position }: LongLine,
): Generator<MatchingLine | null, number> {
  let charsBefore = 0
  let start = position
  for (;;) {
    const piece = readPiece(source, start, buffer)
    const text = piece.bytes.toString('utf8')
    const at = findInPiece(text, matcher, { isFirst: start === position, isLast: piece.isLast })
    if (at !== null) {
      const place = { start: position, end: start + piece.bytes.length }
      yield { line, index: charsBefore + at, text, textIndex: at, isPart: true, ...place }
      return piece.isLast ? piece.next : yield* skipLine(source, start + piece.bytes.length, buffer)
    }
    if (piece.isLast) return piece.next
    charsBefore += piece.bytes.toString('utf8', 0, piece.next - start).length
    start = piece.next
    yield null
  }
}

interface Piece {
  bytes: Buffer
  /** Whether the line ends with it. */
  isLast: boolean
  /** Where the next piece begins, or the next line. */
  next: number
}

function readPiece(source: SearchSource, start: number, buffer: Buffer): Piece {
  const bytes = source.read(start, buffer.length, buffer)
  const feed = bytes.indexOf(10)
  if (feed >= 0) {
    const end = feed > 0 && bytes[feed - 1] === 13 ? feed - 1 : feed
    return { bytes: bytes.subarray(0, end), isLast: true, next: start + feed + 1 }
  }
  if (start + bytes.length >= source.size || bytes.length < buffer.length)
    return { bytes, isLast: true, next: start + bytes.length }
  const end = utf8Edge(bytes, bytes.length)
  return { bytes: bytes.subarray(0, end), isLast: false, next: start + utf8Edge(bytes, end - OVERLAP_BYTES) }
}

/** A piece has a beginning and an end that are none of the line: what hangs on them is no match. */
function findInPiece(
  text: string,
  matcher: LineMatcher,
  place: { isFirst: boolean; isLast: boolean },
): number | null {
  const found = matcher.find(text, place.isFirst ? 0 : 1)
  return found && (place.isLast || found.end < text.length) ? found.start : null
}

function* skipLine(source: SearchSource, from: number, buffer: Buffer): Generator<null, number> {
  for (let position = from; position < source.size; ) {
    const bytes = source.read(position, buffer.length, buffer)
    const feed = bytes.indexOf(10)
    if (feed >= 0) return position + feed + 1
    if (bytes.length === 0) break
    position += bytes.length
    yield null
  }
  return source.size
}
