import type { JsonObject } from '@kgent/contracts'
import type { DoneCall } from './conversation.ts'
import { FOLDER, isOwnFile, OWN_FILES } from './folder-view.ts'
import { isLogFile, LOG_FILES, SEARCHES, type Search } from './searches.ts'
import { wholeAnswer } from './whole-answer.ts'

/** How many matches a search asks for. */
const LIMIT = 200
const LONG_LINES = 'lineChars'

export interface Match {
  path: string
  line: number
  text: string
}

/** What a search that was made has answered. */
export interface SearchAnswer {
  search: Search
  failure: string | null
  matches: Match[]
  /** At least this many; exact when the answer is whole. */
  matchCount: number
  filesScanned: number
  /** Whether there is more than the answer holds. */
  isCut: boolean
  /** Which bounds were reached. */
  limits: string[]
  /** Whether lines were too long to be searched to their end. */
  hasLongLines: boolean
  leftOut: JsonObject
}

/** The input with which a search is made. */
export function searchInput({ pattern, area }: Search): JsonObject {
  return { pattern, path: FOLDER, glob: area === 'logs' ? LOG_FILES : OWN_FILES, limit: LIMIT }
}

/** The searches that were made, with what they found. */
export function searchAnswers(calls: readonly DoneCall[]): SearchAnswer[] {
  return SEARCHES.flatMap((search) => {
    const made = calls.filter(({ tool, input }) => tool === 'grep_files' && input.pattern === search.pattern)
    const [call, count] = made
    if (!call) return []
    const recount = count === undefined ? null : wholeAnswer(count, calls)
    return [answerOf(search, call, { data: wholeAnswer(call, calls), recount })]
  })
}

function answerOf(
  search: Search,
  { failure, summary }: DoneCall,
  { data, recount }: { data: JsonObject | null; recount: JsonObject | null },
): SearchAnswer {
  const limits = Array.isArray(data?.limitsHit) ? data.limitsHit.map(String) : []
  return {
    search,
    failure: failure === null ? null : summary,
    matches: matchesOf(data).filter((match) => belongs(match, search)),
    matchCount: Math.max(Number(data?.matchCount ?? 0), Number(recount?.matchCount ?? 0)),
    filesScanned: Number(data?.filesScanned ?? 0),
    isCut: data === null ? failure === null : isCut(data, limits),
    limits,
    hasLongLines: limits.includes(LONG_LINES),
    leftOut: (data?.leftOut ?? {}) as JsonObject,
  }
}

function isCut(data: JsonObject, limits: readonly string[]): boolean {
  const onlyLongLines = limits.length > 0 && limits.every((limit) => limit === LONG_LINES)
  return data.truncated === true && !onlyLongLines
}

/** Globs say where a search looks; this says what of its answer is meant. */
function belongs({ path, text }: Match, { area, means }: Search): boolean {
  return isLogFile(path) === (area === 'logs') && isOwnFile(path) && (means?.(text) ?? true)
}

function matchesOf(data: JsonObject | null): Match[] {
  return Array.isArray(data?.matches) ? (data.matches as unknown as Match[]) : []
}
