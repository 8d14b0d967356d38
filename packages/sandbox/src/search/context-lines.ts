import type { GrepMatch } from '@kgent/contracts'
import type { MatchingLine } from './search-block.ts'
import type { SearchSource } from './search-source.ts'
import { shortenLine } from './shorten-line.ts'

/** Context is looked for this far from a match. */
const REACH_BYTES = 64 * 1024

export interface ContextBounds {
  /** Lines before and after. */
  context: number
  /** Characters of a line. */
  maxChars: number
}

/** The lines around a match; none when no context is wanted. */
export function contextLines(
  source: SearchSource,
  match: MatchingLine,
  { context, maxChars }: ContextBounds,
): Pick<GrepMatch, 'before' | 'after'> {
  if (context === 0) return {}
  const short = (line: string) => shortenLine(line, { at: 0, maxChars })
  return {
    before: linesBefore(source, match.start, context).map(short),
    after: linesAfter(source, match.end, context).map(short),
  }
}

function linesBefore(source: SearchSource, start: number, count: number): string[] {
  const from = Math.max(source.start, start - REACH_BYTES)
  const bytes = source.read(from, start - from)
  let begin = bytes.length
  for (let taken = 0; taken < count && begin > 0; taken += 1)
    begin = begin < 2 ? 0 : bytes.lastIndexOf(10, begin - 2) + 1
  return linesOf(bytes.subarray(begin)).slice(-count)
}

function linesAfter(source: SearchSource, end: number, count: number): string[] {
  const bytes = source.read(end, REACH_BYTES)
  const begin = bytes.indexOf(10) + 1
  if (begin === 0) return []
  let stop = begin
  for (let taken = 0; taken < count && stop < bytes.length; taken += 1) {
    const feed = bytes.indexOf(10, stop)
    stop = feed < 0 ? bytes.length : feed + 1
  }
  return linesOf(bytes.subarray(begin, stop))
}

function linesOf(bytes: Buffer): string[] {
  return (
    bytes
      .toString('utf8')
      .match(/[^\n]*\n|[^\n]+$/g)
      ?.map((line) => line.replace(/\r?\n$/, '')) ?? []
  )
}
