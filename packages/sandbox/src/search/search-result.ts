import type { GrepMatch, GrepOptions, GrepResult, SkipCounts } from '@kgent/contracts'
import type { SandboxLimits } from '../limits.ts'
import type { MatchingLine } from './search-bytes.ts'

/** Gathers what a search finds, within its bounds. */
export class SearchResult {
  readonly #options: GrepOptions
  readonly #limits: SandboxLimits
  readonly #matches: GrepMatch[] = []
  readonly #files: { path: string; count: number }[] = []
  readonly #hit = new Set<GrepResult['limitsHit'][number]>()
  readonly #leftOut: SkipCounts = {}
  #path = ''
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

  beginFile(path: string, bytes: number): void {
    this.#path = path
    this.#bytes += bytes
    this.filesScanned += 1
  }

  /** Takes a match; false when the file needs no further searching. */
  add(match: MatchingLine, bytes: Buffer): boolean {
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
    if (output === 'matches') this.#matches.push(this.#toMatch(match, bytes))
    return output !== 'files'
  }

  #toMatch({ line, index, text }: MatchingLine, bytes: Buffer): GrepMatch {
    const max = this.#limits.maxGrepLineChars
    const shown = shorten(text, index, max)
    if (shown !== text) this.hit('lineChars')
    return {
      path: this.#path,
      line,
      column: index + 1,
      text: shown,
      cut: shown !== text,
      ...contextOf(bytes, line, { context: this.#options.context ?? 0, max }),
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

/** The part of a line around its match, at character edges. */
function shorten(text: string, index: number, max: number): string {
  if (text.length <= max) return text
  const start = Math.max(0, Math.min(index - Math.floor(max / 4), text.length - max))
  return text.slice(start, start + max).toWellFormed()
}

function contextOf(
  bytes: Buffer,
  line: number,
  { context, max }: { context: number; max: number },
): Pick<GrepMatch, 'before' | 'after'> {
  if (context === 0) return {}
  const lines = bytes.toString('utf8').split(/\r?\n/)
  const part = (from: number, to: number) =>
    lines.slice(Math.max(0, from), Math.max(0, to)).map((text) => shorten(text, 0, max))
  return { before: part(line - 1 - context, line - 1), after: part(line, line + context) }
}
