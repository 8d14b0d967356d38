import type { LineMatcher } from './line-matcher.ts'

/** A line that matches. */
export interface MatchingLine {
  /** From 1. */
  line: number
  /** Index of the match in the line. */
  index: number
  text: string
}

/** Lines longer than this are searched at their beginning only. */
const MAX_LINE_BYTES = 4 * 1024 * 1024

/**
 * Searches a file's bytes line by line. Bytes are only decoded where a line may match: with needles known, the buffer is
 * searched first and lines are cut out around what was found.
 */
export function* searchBytes(bytes: Buffer, matcher: LineMatcher): Generator<MatchingLine> {
  const begin = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  yield* matcher.needles ? searchByNeedles(bytes, begin, matcher) : searchLines(bytes, begin, matcher)
}

function* searchLines(bytes: Buffer, begin: number, matcher: LineMatcher): Generator<MatchingLine> {
  let line = 1
  for (let start = begin; start < bytes.length; line += 1) {
    const end = endOfLine(bytes, start)
    const text = lineText(bytes, start, end)
    const index = matcher.find(text)
    if (index >= 0) yield { line, index, text }
    start = end + 1
  }
}

function* searchByNeedles(bytes: Buffer, begin: number, matcher: LineMatcher): Generator<MatchingLine> {
  let line = 1
  let counted = begin
  for (let from = begin; from < bytes.length; ) {
    const at = nextNeedle(bytes, from, matcher.needles ?? [])
    if (at < 0) return
    const lineStart = Math.max(at === 0 ? 0 : bytes.lastIndexOf(10, at - 1) + 1, begin)
    for (
      let feed = bytes.indexOf(10, counted);
      feed >= 0 && feed < lineStart;
      feed = bytes.indexOf(10, feed + 1)
    )
      line += 1
    counted = lineStart
    const end = endOfLine(bytes, at)
    yield* matchIn({ bytes, lineStart, end, at }, line, matcher)
    from = end + 1
  }
}

interface Cut {
  bytes: Buffer
  lineStart: number
  end: number
  at: number
}

function* matchIn(
  { bytes, lineStart, end, at }: Cut,
  line: number,
  matcher: LineMatcher,
): Generator<MatchingLine> {
  // Far into a very long line, the text around the match stands for the line.
  const isFar = at - lineStart > MAX_LINE_BYTES
  const text = lineText(bytes, isFar ? at : lineStart, end)
  const index = matcher.find(text)
  if (index >= 0) yield { line, index, text }
}

function nextNeedle(bytes: Buffer, from: number, needles: readonly Buffer[]): number {
  let next = -1
  for (const needle of needles) {
    const at = bytes.indexOf(needle, from)
    if (at >= 0 && (next < 0 || at < next)) next = at
  }
  return next
}

function endOfLine(bytes: Buffer, from: number): number {
  const feed = bytes.indexOf(10, from)
  return feed < 0 ? bytes.length : feed
}

function lineText(bytes: Buffer, start: number, end: number): string {
  const stop = Math.min(bytes[end - 1] === 13 ? end - 1 : end, start + MAX_LINE_BYTES)
  return bytes.toString('utf8', start, Math.max(start, stop))
}
