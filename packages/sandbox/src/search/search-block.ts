import type { LineMatcher } from './compile-pattern.ts'
import { createNeedleFinder } from './needle-finder.ts'

/** A line that matches. */
export interface MatchingLine {
  /** From 1. */
  line: number
  /** Characters of the line before the match. */
  index: number
  /** The line, or the part of a very long one that was searched. */
  text: string
  /** Index of the match in `text`. */
  textIndex: number
  /** Whether `text` is a part of the line only. */
  isPart: boolean
  /** Where the line begins and where its content ends, in the file. */
  start: number
  end: number
}

export interface Block {
  matcher: LineMatcher
  /** Number of the first line. */
  line: number
  /** Where the block begins in the file. */
  position: number
  /** Whether nothing comes after it, so that nobody needs to know how many lines it has. */
  isLast: boolean
}

const LINES_A_TURN = 1_024

/** Searches some whole lines; returns the number of the line after them. */
export function* searchBlock(
  bytes: Buffer,
  { matcher, line, position, isLast }: Block,
): Generator<MatchingLine | null, number> {
  const counter = createLineCounter(bytes, line)
  let looked = 0
  for (const { start, end } of candidateLines(bytes, matcher)) {
    looked += 1
    if (looked % LINES_A_TURN === 0) yield null
    const text = bytes.toString('utf8', start, end)
    const index = matcher.find(text)?.start
    if (index === undefined) continue
    const place = { start: position + start, end: position + end }
    yield { line: counter.lineAt(start), index, text, textIndex: index, isPart: false, ...place }
  }
  return isLast ? 0 : counter.lineAt(bytes.length)
}

/** The lines that may match, without their ends. */
function candidateLines(bytes: Buffer, matcher: LineMatcher): Iterable<{ start: number; end: number }> {
  if (matcher.needles) return linesWith(bytes, matcher.needles)
  return matcher.mayMatch(bytes) ? allLines(bytes) : []
}

function* allLines(bytes: Buffer) {
  for (let start = 0; start < bytes.length; ) {
    const feed = feedFrom(bytes, start)
    yield { start, end: contentEnd(bytes, start, feed) }
    start = feed + 1
  }
}

/** Lines are cut out around the texts that were found in the bytes. */
function* linesWith(bytes: Buffer, needles: readonly Buffer[]) {
  const next = createNeedleFinder(bytes, needles)
  for (let at = next(0); at >= 0; ) {
    const start = at === 0 ? 0 : bytes.lastIndexOf(10, at - 1) + 1
    const feed = feedFrom(bytes, at)
    yield { start, end: contentEnd(bytes, start, feed) }
    at = next(feed + 1)
  }
}

function feedFrom(bytes: Buffer, from: number): number {
  const feed = bytes.indexOf(10, from)
  return feed < 0 ? bytes.length : feed
}

function contentEnd(bytes: Buffer, start: number, feed: number): number {
  return feed > start && bytes[feed - 1] === 13 ? feed - 1 : feed
}

/** Counts line feeds only up to where a number is wanted. */
function createLineCounter(bytes: Buffer, first: number) {
  let line = first
  let counted = 0
  return {
    lineAt(start: number): number {
      for (
        let feed = bytes.indexOf(10, counted);
        feed >= 0 && feed < start;
        feed = bytes.indexOf(10, feed + 1)
      ) {
        line += 1
        counted = feed + 1
      }
      return line
    },
  }
}
