import {
  type AccessCheck,
  fail,
  type GrepOptions,
  type GrepResult,
  type Outcome,
  succeed,
} from '@kgent/contracts'
import { compileGlob } from '../glob.ts'
import type { SandboxLimits } from '../limits.ts'
import type { Location } from '../locate.ts'
import type { TreeEntry } from '../walk-tree.ts'
import { walkTree } from '../walk-tree.ts'
import { compilePattern, type LineMatcher } from './line-matcher.ts'
import { readForSearch } from './read-for-search.ts'
import { searchBytes } from './search-bytes.ts'
import { SearchResult } from './search-result.ts'

export interface GrepRequest {
  pattern: string
  options: GrepOptions
  limits: SandboxLimits
  check: AccessCheck | null
}

/** How long the event loop may be held before others get their turn. */
const TURN_MS = 15

/** Searches a located file or folder, in order of path, within its bounds. */
export async function grepLocated(location: Location, request: GrepRequest): Promise<Outcome<GrepResult>> {
  const { options, limits } = request
  if (request.pattern === '') return fail('invalid_pattern', 'The pattern is empty.')
  const matcher = compilePattern(request.pattern, {
    literal: options.literal === true,
    ignoreCase: options.ignoreCase === true,
  })
  if (!matcher.ok) return matcher
  const matches = compileGlob(options.glob, location.path)
  if (!matches.ok) return matches
  const { limit = limits.maxGrepMatches } = options
  if (!Number.isSafeInteger(limit) || limit < 1)
    return fail('invalid_input', 'limit must be a whole number of 1 or more.')
  const result = new SearchResult(options, {
    ...limits,
    maxGrepMatches: Math.min(limit, limits.maxGrepMatches),
  })
  const turns = createTurns(limits.grepTimeoutMs)
  for (const entry of filesOf(location, request, result)) {
    if (!matches.value(entry.path) && location.kind === 'directory') continue
    searchFile(entry, { location, matcher: matcher.value, result })
    if (result.isFull) break
    const stop = await turns.next(options.signal)
    if (stop === 'aborted') return fail('aborted', 'The search was cancelled.')
    if (stop === 'time') {
      result.hit('time')
      break
    }
    if (turns.isNewTurn)
      options.onProgress?.({ filesScanned: result.filesScanned, matches: result.matchCount })
  }
  return succeed(result.toGrepResult())
}

function* filesOf(location: Location, { check }: GrepRequest, result: SearchResult): Generator<TreeEntry> {
  if (location.kind !== 'directory') {
    const { name, folder, path, stats } = location
    if (name !== null && stats) yield { path, name, folder, stats }
    return
  }
  const denied = (path: string) => check !== null && check('filesystemRead', path) !== null
  const options = {
    recursive: true,
    enter: (path: string) => !denied(path),
    skip: (reason: 'unreadable' | 'hidden') => result.skip(reason),
  }
  for (const entry of walkTree(location.folder, location.path, options)) {
    if (entry.stats.isDirectory()) {
      if (denied(entry.path)) result.skip('denied')
    } else if (entry.stats.isSymbolicLink()) result.skip('link')
    else if (!entry.stats.isFile()) result.skip('special')
    else if (denied(entry.path)) result.skip('denied')
    else yield entry
  }
}

function searchFile(
  entry: TreeEntry,
  search: { location: Location; matcher: LineMatcher; result: SearchResult },
): void {
  const { result, matcher, location } = search
  const read = readForSearch(entry, location.mount)
  if ('skip' in read) {
    result.skip(read.skip)
    return
  }
  result.beginFile(entry.path, read.bytes.length)
  for (const match of searchBytes(read.bytes, matcher)) {
    if (!result.add(match, read.bytes)) return
  }
}

/** Gives the event loop its turns, and says when to stop. */
function createTurns(timeoutMs: number) {
  const began = performance.now()
  let turnBegan = began
  return {
    isNewTurn: false,
    async next(signal: AbortSignal | undefined): Promise<'go' | 'aborted' | 'time'> {
      const now = performance.now()
      this.isNewTurn = now - turnBegan > TURN_MS
      if (this.isNewTurn) {
        await new Promise((resolve) => setImmediate(resolve))
        turnBegan = performance.now()
      }
      if (signal?.aborted) return 'aborted'
      return now - began > timeoutMs ? 'time' : 'go'
    },
  }
}
