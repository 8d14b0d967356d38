import type { GrepMatch, GrepOptions, GrepResult, SkipCounts } from '@kgent/contracts'
import type { SandboxLimits } from '../limits.ts'
import { contextLines } from './context-lines.ts'
import type { MatchingLine } from './search-block.ts'
import type { SearchSource } from './search-source.ts'
import { shortenLine } from './shorten-line.ts'

/** Gathers what a search finds, within its bounds. */
export class SearchResult {
  readonly #options: GrepOptions
  readonly #limits: SandboxLimits
  readonly #matches: GrepMatch[] = []
  readonly #files: { path: string; count: number }[] = []
  readonly #hit = new Set<GrepResult['limitsHit'][number]>()
  readonly #leftOut: SkipCounts = {}
  #path = ''
  #source: SearchSource | null = null
  #bytes = 0
  filesScanned = 0
  matchCount = 0

  constructor(options: GrepOptions, limits: SandboxLimits) {
    this.#options = options
    this.#limits = limits
  }

  get isFull(): boolean {
    return this.#hit.has('matches')
  }

  hit(limit: GrepResult['limitsHit'][number]): void {
    this.#hit.add(limit)
  }

  skip(reason: keyof SkipCounts): void {
    this.#leftOut[reason] = (this.#leftOut[reason] ?? 0) + 1
  }

  beginFile(path: string, source: SearchSource): void {
    this.#path = path
    this.#source = source
    this.#bytes += source.size
    this.filesScanned += 1
  }

  /** Takes a match; false when the file needs no further searching. */
  add(match: MatchingLine): boolean {
    const { output = 'matches' } = this.#options
    const isNewFile = this.#files.at(-1)?.path !== this.#path
    const size = output === 'matches' ? this.#matches.length : this.#files.length
    if (size >= this.#limits.maxGrepMatches && (output === 'matches' || isNewFile)) {
      this.hit('matches')
      return false
    }
    this.matchCount += 1
    if (isNewFile) this.#files.push({ path: this.#path, count: 0 })
    const file = this.#files.at(-1)
    if (file) file.count += 1
    if (output === 'matches') this.#matches.push(this.#toMatch(match))
    return output !== 'files'
  }

  #toMatch(match: MatchingLine): GrepMatch {
    const { text, textIndex, isPart } = match
    const maxChars = this.#limits.maxGrepLineChars
    const shown = shortenLine(text, { at: textIndex, maxChars })
    const cut = isPart || shown !== text
    if (cut) this.hit('lineChars')
    const bounds = { context: this.#options.context ?? 0, maxChars }
    return {
      path: this.#path,
      line: match.line,
      column: match.index + 1,
      text: shown,
      cut,
      ...(this.#source && contextLines(this.#source, match, bounds)),
    }
  }

  toGrepResult(): GrepResult {
    const { output = 'matches' } = this.#options
    return {
      matches: this.#matches,
      files: output === 'matches' ? [] : this.#files,
      filesScanned: this.filesScanned,
      bytesScanned: this.#bytes,
      matchCount: this.matchCount,
      truncated: this.#hit.size > 0,
      limitsHit: [...this.#hit],
      leftOut: this.#leftOut,
    }
  }
}
