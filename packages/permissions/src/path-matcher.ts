import picomatch from 'picomatch'
import type { GlobToken } from './glob-tokens.ts'
import type { GlobPath, GlobSegment } from './parse-glob.ts'
import { type PathSpelling, respell } from './path-spelling.ts'

/**
 * A compiled glob. Without `regex` it names `prefix` and everything below, every path if that is empty; with it, `prefix`
 * and `suffix` are what every matching path begins and ends with, which settles most paths by a comparison.
 */
export interface PathMatcher {
  readonly prefix: string
  readonly suffix: string
  readonly regex: RegExp | null
}

export function matchesPath({ prefix, suffix, regex }: PathMatcher, path: string): boolean {
  if (!path.startsWith(prefix)) return false
  if (regex === null) return prefix === '' || path.length === prefix.length || path[prefix.length] === '/'
  return path.endsWith(suffix) && regex.test(path)
}

export function compilePath(glob: GlobPath, spelling: PathSpelling = 'exact'): PathMatcher {
  const path = spelling === 'exact' ? glob : glob.map((segment) => respelled(segment, spelling))
  const names = namesAtStart(path)
  const rest = path.slice(names.length)
  // `inputs/**` says what `inputs` says.
  if (rest.every(({ kind }) => kind === 'folders'))
    return { prefix: names.join('/'), suffix: '', regex: null }
  return {
    prefix: [...names, textAtStart(rest[0])].join('/').replace(/\/$/, ''),
    suffix: textAtEnd(path.at(-1)),
    regex: picomatch.makeRe(globSource(path), spelling === 'folded' ? FOLDED : EXACT),
  }
}

/** `s`: a line break in a name is a character like any other. `debug`: throw instead of matching nothing. */
const EXACT: picomatch.PicomatchOptions = {
  dot: true,
  windows: false,
  posix: false,
  noextglob: true,
  nonegate: true,
  keepQuotes: true,
  literalBrackets: false,
  fastpaths: false,
  debug: true,
  flags: 's',
}
const FOLDED: picomatch.PicomatchOptions = { ...EXACT, flags: 'is' }

function respelled(segment: GlobSegment, spelling: PathSpelling): GlobSegment {
  if (segment.kind === 'name') return { kind: 'name', name: respell(segment.name, spelling) }
  if (segment.kind === 'folders') return segment
  const tokens = segment.tokens.map(
    (token): GlobToken =>
      token.kind === 'text' ? { kind: 'text', text: respell(token.text, spelling) } : token,
  )
  return { kind: 'pattern', tokens }
}

export function namesAtStart(path: GlobPath): string[] {
  const names: string[] = []
  for (const segment of path) {
    if (segment.kind !== 'name') break
    names.push(segment.name)
  }
  return names
}

function textAtStart(segment: GlobSegment | undefined): string {
  return segment?.kind === 'pattern' ? textOf(segment.tokens[0]) : ''
}

function textAtEnd(segment: GlobSegment | undefined): string {
  if (segment?.kind === 'name') return segment.name
  return segment?.kind === 'pattern' ? textOf(segment.tokens.at(-1)) : ''
}

function textOf(token: GlobToken | undefined): string {
  return token?.kind === 'text' ? token.text : ''
}

/** The glob as the library reads it. */
export function globSource(path: GlobPath): string {
  return path.map(sourceOf).join('/')
}

function sourceOf(segment: GlobSegment): string {
  if (segment.kind === 'folders') return '**'
  if (segment.kind === 'name') return literalSource(segment.name)
  return segment.tokens.map(tokenSource).join('')
}

function tokenSource(token: GlobToken): string {
  if (token.kind === 'text') return literalSource(token.text)
  if (token.kind === 'class') return token.source
  return token.kind === 'star' ? '*' : '?'
}

/** A backslash as a class of its own: picomatch collapses runs of them. */
function literalSource(text: string): string {
  return text.replace(/[\\*?[\]{}()!+@|"]/g, (char) => (char === '\\' ? '[\\\\]' : `\\${char}`))
}
