/** One part of a glob that stands for characters of a single path segment. */
export type GlobToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'class'; readonly source: string }

export type RawToken =
  | GlobToken
  | { readonly kind: 'slash' }
  | { readonly kind: 'braces'; readonly branches: readonly RawToken[][] }

/** What is wrong with a glob, in a clause that can follow its place. */
export class GlobSyntaxError extends Error {}

interface Cursor {
  readonly text: string
  at: number
}

const ESCAPABLE = '\\*?[]{}()!+@,'
const EXTGLOB_SIGNS = '?*+@!'
/** Characters that mean nothing but themselves, wherever they stand. */
const PLAIN = /[^\\*?[\]{},/+@!]+/y

/** **Throws:** `GlobSyntaxError` for everything that would silently mean something else than it says. */
export function readGlobTokens(text: string): RawToken[] {
  if (text.startsWith('!'))
    throw new GlobSyntaxError('a path cannot be negated; write a rule with the other effect')
  const cursor: Cursor = { text, at: 0 }
  const tokens = readBranch(cursor, 0)
  if (cursor.at < text.length) throw new GlobSyntaxError('a } closes nothing; write \\} for the character')
  return tokens
}

function readBranch(cursor: Cursor, depth: number): RawToken[] {
  const tokens: RawToken[] = []
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at] as string
    if (char === '}' || (char === ',' && depth > 0)) break
    tokens.push(readToken(cursor, depth))
  }
  return tokens
}

function readToken(cursor: Cursor, depth: number): RawToken {
  PLAIN.lastIndex = cursor.at
  const plain = PLAIN.exec(cursor.text)
  if (plain) {
    cursor.at += plain[0].length
    return { kind: 'text', text: plain[0] }
  }
  return readSpecial(cursor, depth)
}

function readSpecial(cursor: Cursor, depth: number): RawToken {
  const char = cursor.text[cursor.at] as string
  if (EXTGLOB_SIGNS.includes(char) && cursor.text[cursor.at + 1] === '(') {
    throw new GlobSyntaxError(`${char}(…) is not supported; list the names in braces, as in {a,b}`)
  }
  if (char === '{') return readBraces(cursor, depth)
  if (char === '[') return readClass(cursor)
  if (char === ']') throw new GlobSyntaxError('a ] closes nothing; write \\] for the character')
  if (char === '\\') return readEscape(cursor)
  cursor.at += 1
  if (char === '/') return { kind: 'slash' }
  if (char === '*') return { kind: 'star' }
  if (char === '?') return { kind: 'any' }
  return { kind: 'text', text: char }
}

function readEscape(cursor: Cursor): RawToken {
  const char = cursor.text[cursor.at + 1]
  if (char === undefined || !ESCAPABLE.includes(char)) {
    throw new GlobSyntaxError(
      `a \\ may only stand before one of ${ESCAPABLE}; folders are parted by /, and \\\\ is the character itself`,
    )
  }
  cursor.at += 2
  return { kind: 'text', text: char }
}

function readBraces(cursor: Cursor, depth: number): RawToken {
  const branches: RawToken[][] = []
  do {
    cursor.at += 1
    branches.push(readBranch(cursor, depth + 1))
  } while (cursor.text[cursor.at] === ',')
  if (cursor.text[cursor.at] !== '}')
    throw new GlobSyntaxError('a { is not closed; write \\{ for the character')
  cursor.at += 1
  if (branches.length > 1) return { kind: 'braces', branches }
  throw new GlobSyntaxError(
    'braces list names between commas, as in {a,b}; ranges such as {1..9} are not supported',
  )
}

const CLASS = /^\[([!^]?)([A-Za-z0-9_. ~%&=#@;-]+)\]/

function readClass(cursor: Cursor): RawToken {
  const match = CLASS.exec(cursor.text.slice(cursor.at))
  if (!match) {
    throw new GlobSyntaxError(
      '[…] must be closed and hold ASCII letters, digits, ranges or one of _. ~%&=#@;- only; write \\[ for the character',
    )
  }
  const [whole, negation, members] = match as unknown as [string, string, string]
  checkRanges(members)
  cursor.at += whole.length
  return { kind: 'class', source: `[${negation && '^'}${members}]` }
}

/** A hyphen is a range between two characters that ascend, or itself at either end. */
function checkRanges(members: string): void {
  for (let at = 1; at < members.length - 1; at += 1) {
    if (members[at] !== '-') continue
    const [from, to] = [members[at - 1] as string, members[at + 1] as string]
    if (from > to || from === '-' || to === '-' || members[at + 2] === '-') {
      throw new GlobSyntaxError(`the range ${from}-${to} in […] does not ascend or is not clear`)
    }
    at += 1
  }
}
