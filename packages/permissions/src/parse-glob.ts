import { GlobSyntaxError, type GlobToken, type RawToken, readGlobTokens } from './glob-tokens.ts'

/** One segment of a path: any number of folders, a name, or a name with wildcards. */
export type GlobSegment =
  | { readonly kind: 'folders' }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'pattern'; readonly tokens: readonly GlobToken[] }

/** The segments of one glob after its braces are written out. */
export type GlobPath = readonly GlobSegment[]

export type ParsedGlob =
  | { readonly ok: true; readonly alternatives: readonly GlobPath[] }
  | { readonly ok: false; readonly problem: string }

const MAX_CHARS = 1_000
const MAX_ALTERNATIVES = 100

/**
 * Reads a glob over sandbox paths: `*`, `?`, `[…]` within a name, `**` for any number of folders, `{a,b}` for several
 * globs at once, and `\` before a special character. What is not certain to mean what it says is a problem.
 */
export function parseGlob(text: string): ParsedGlob {
  try {
    checkText(text)
    const alternatives = writeOut(readGlobTokens(text)).map(segmentsOf).flatMap(withFolderItself)
    for (const path of alternatives) checkCost(path)
    return { ok: true, alternatives }
  } catch (thrown) {
    if (thrown instanceof GlobSyntaxError) return { ok: false, problem: thrown.message }
    throw thrown
  }
}

/** The glob that means exactly this path and everything below it. */
export function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@,]/g, '\\$&')
}

function checkText(text: string): void {
  if (text === '') throw new GlobSyntaxError('a path is needed; "" is none')
  if (text.includes('\0')) throw new GlobSyntaxError('NUL stands in no path')
  if (text.length > MAX_CHARS) throw new GlobSyntaxError(`longer than ${MAX_CHARS} characters`)
  if (text.startsWith('/'))
    throw new GlobSyntaxError('paths begin with a mount such as workspace/, not with /')
  if (text.endsWith('/'))
    throw new GlobSyntaxError('leave the / at the end away: a folder’s name covers what is below it')
}

type FlatToken = Exclude<RawToken, { kind: 'braces' }>

/** Every combination of the branches of its braces. */
function writeOut(tokens: readonly RawToken[]): FlatToken[][] {
  let results: FlatToken[][] = [[]]
  for (const token of tokens) {
    if (token.kind === 'braces') results = combined(results, token.branches.flatMap(writeOut))
    else for (const result of results) result.push(token)
  }
  return results
}

function combined(starts: readonly FlatToken[][], endings: readonly FlatToken[][]): FlatToken[][] {
  if (starts.length * endings.length > MAX_ALTERNATIVES) {
    throw new GlobSyntaxError(`its braces stand for more than ${MAX_ALTERNATIVES} globs`)
  }
  return starts.flatMap((start) => endings.map((ending) => [...start, ...ending]))
}

function segmentsOf(tokens: readonly FlatToken[]): GlobPath {
  const segments: GlobSegment[] = []
  let current: GlobToken[] = []
  for (const token of [...tokens, { kind: 'slash' } as const]) {
    if (token.kind !== 'slash') {
      current.push(token)
      continue
    }
    const segment = segmentOf(current)
    const isRepeated = segment.kind === 'folders' && segments.at(-1)?.kind === 'folders'
    if (!isRepeated) segments.push(segment)
    current = []
  }
  return segments
}

/** `x*` with `/**` also means the folder `x*` itself, as `inputs/**` means `inputs`; the library only knows the latter. */
function withFolderItself(path: GlobPath): GlobPath[] {
  const isBelowPattern = path.at(-1)?.kind === 'folders' && path.at(-2)?.kind === 'pattern'
  return isBelowPattern ? [path.slice(0, -1), path] : [path]
}

function segmentOf(tokens: readonly GlobToken[]): GlobSegment {
  if (tokens.length === 0) throw new GlobSyntaxError('a name is missing between two slashes')
  if (tokens.length === 2 && tokens.every(isStar)) return { kind: 'folders' }
  if (tokens.some((token, index) => isStar(token) && tokens[index + 1]?.kind === 'star')) {
    throw new GlobSyntaxError('** stands alone between slashes; within a name write *')
  }
  const merged = withJoinedTexts(tokens)
  const [first] = merged
  if (merged.length > 1 || first?.kind !== 'text') return { kind: 'pattern', tokens: merged }
  if (first.text === '.' || first.text === '..')
    throw new GlobSyntaxError(`${first.text} stands in no resolved path`)
  return { kind: 'name', name: first.text }
}

function withJoinedTexts(tokens: readonly GlobToken[]): GlobToken[] {
  const joined: GlobToken[] = []
  for (const token of tokens) {
    const last = joined.at(-1)
    if (token.kind === 'text' && last?.kind === 'text')
      joined[joined.length - 1] = { kind: 'text', text: last.text + token.text }
    else joined.push(token)
  }
  return joined
}

function isStar({ kind }: GlobToken): boolean {
  return kind === 'star'
}

const MAX_STARS_IN_NAME = 3
const MAX_FOLDERS = 2
const MAX_TOGETHER = 4

/** A matcher that backtracks takes seconds for a name made for it when many wildcards can share it out. */
function checkCost(path: GlobPath): void {
  const folders = path.slice(0, -1).filter(({ kind }) => kind === 'folders').length
  const stars = Math.max(
    ...path.map((segment) => (segment.kind === 'pattern' ? segment.tokens.filter(isStar).length : 0)),
  )
  if (stars <= MAX_STARS_IN_NAME && folders <= MAX_FOLDERS && stars + folders <= MAX_TOGETHER) return
  throw new GlobSyntaxError(
    `too many wildcards to match quickly: at most ${MAX_STARS_IN_NAME} * in a name, ${MAX_FOLDERS} ** before the last name, ` +
      `${MAX_TOGETHER} together`,
  )
}
