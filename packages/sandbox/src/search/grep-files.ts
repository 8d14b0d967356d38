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
import { createTurns } from '../turns.ts'
import { compilePattern } from './compile-pattern.ts'
import { filesToSearch } from './files-to-search.ts'
import { BLOCK_BYTES, type FileSearch, searchFile } from './search-file.ts'
import { SearchResult } from './search-result.ts'
import { openSource } from './search-source.ts'

export interface GrepRequest {
  pattern: string
  options: GrepOptions
  limits: SandboxLimits
  check: AccessCheck | null
}

/** Searches a located file or folder, in order of path, within its bounds. */
export async function grepLocated(location: Location, request: GrepRequest): Promise<Outcome<GrepResult>> {
  const { options, limits } = request
  const prepared = prepare(location, request)
  if (!prepared.ok) return prepared
  const { result, matches, search } = prepared.value
  const turns = createTurns({ signal: options.signal, timeoutMs: limits.grepTimeoutMs })
  for (const step of steps(location, { request, result, matches, search })) {
    if (result.isFull) break
    if (!turns.isDue()) continue
    const end = await turns.next()
    if (end === 'aborted') return fail('aborted', 'The search was cancelled.')
    if (end === 'time') {
      result.hit('time')
      break
    }
    if (step === 'file' && turns.isNewTurn)
      options.onProgress?.({ filesScanned: result.filesScanned, matches: result.matchCount })
  }
  return succeed(result.toGrepResult())
}

interface Prepared {
  result: SearchResult
  matches: (path: string) => boolean
  search: FileSearch
}

function prepare(location: Location, { pattern, options, limits }: GrepRequest): Outcome<Prepared> {
  if (typeof pattern !== 'string' || pattern === '') return fail('invalid_pattern', 'The pattern is empty.')
  const { literal = false, ignoreCase = false, limit = limits.maxGrepMatches, context = 0 } = options
  if (!Number.isSafeInteger(limit) || limit < 1)
    return fail('invalid_input', 'limit must be a whole number of 1 or more.')
  if (!Number.isSafeInteger(context) || context < 0)
    return fail('invalid_input', 'context must be a whole number of 0 or more.')
  const matcher = compilePattern(pattern, { literal, ignoreCase })
  if (!matcher.ok) return matcher
  const matches = compileGlob(options.glob, location.path)
  if (!matches.ok) return matches
  const bounds = { ...limits, maxGrepMatches: Math.min(limit, limits.maxGrepMatches) }
  return succeed({
    result: new SearchResult(options, bounds),
    matches: location.kind === 'directory' ? matches.value : () => true,
    search: { matcher: matcher.value, buffer: Buffer.allocUnsafeSlow(BLOCK_BYTES) },
  })
}

/** The search in small steps: after each the event loop may have its turn. */
function* steps(
  location: Location,
  { request, result, matches, search }: Prepared & { request: GrepRequest },
): Generator<'file' | 'part'> {
  const skip = result.skip.bind(result)
  for (const entry of filesToSearch(location, { check: request.check, matches, skip })) {
    if (entry === null) {
      yield 'part'
      continue
    }
    const source = openSource(entry, { mount: location.mount, buffer: search.buffer })
    if (typeof source === 'string') result.skip(source)
    else {
      try {
        result.beginFile(entry.path, source)
        for (const match of searchFile(source, search)) {
          if (match === null) yield 'part'
          else if (!result.add(match)) break
        }
      } finally {
        source.close()
      }
    }
    yield 'file'
  }
}
