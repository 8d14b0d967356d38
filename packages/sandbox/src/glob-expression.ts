/** What is wrong with a glob, in a clause. */
export class GlobSyntaxError extends Error {}

const MAX_CHARS = 1_000
const SPECIAL = /[\\^$.|?*+()[\]{}]/g

/**
 * A glob as an RE2 expression over a whole path: `*`, `?` and `[…]` within a name, `**` for any number of folders,
 * `{a,b}` for alternatives, `\` before a special character. Linear in the path for every glob.
 * **Throws:** `GlobSyntaxError` for what would not mean what it says.
 */
export function globExpression(glob: string): string {
  if (glob.length > MAX_CHARS) throw new GlobSyntaxError(`it is longer than ${MAX_CHARS} characters`)
  if (glob.startsWith('!')) throw new GlobSyntaxError('only one ! may lead')
  const reader: Reader = { glob, at: 0, depth: 0 }
  let expression = ''
  while (reader.at < glob.length) expression += readPart(reader)
  if (reader.depth > 0) throw new GlobSyntaxError('a { is not closed')
  return expression
}

interface Reader {
  readonly glob: string
  at: number
  /** How many braces are open. */
  depth: number
}

function readPart(reader: Reader): string {
  const { glob, at } = reader
  const char = glob[at] ?? ''
  if ('?*+@!'.includes(char) && glob[at + 1] === '(')
    throw new GlobSyntaxError(`${char}(…) is not supported; use {a,b}`)
  const folders = /^(\/)?\*\*(\/|$)/.exec(glob.slice(at))
  if (folders && (folders[1] || isStart(glob, at))) return readFolders(reader, folders)
  reader.at += 1
  if (char === '*') return '[^/]*'
  if (char === '?') return '[^/]'
  if (char === '[') return readClass(reader)
  if (char === '\\') return readEscaped(reader)
  return readBrace(reader, char) ?? quote(char)
}

/** `**` between slashes is any number of folders, also none; at the end it is the folder itself and everything below. */
function readFolders(reader: Reader, [text, before, after]: RegExpExecArray): string {
  reader.at += text?.length ?? 0
  if (after === '/') return before ? '/(?:.*/)?' : '(?:.*/)?'
  return before ? '(?:/.*)?' : '.*'
}

function isStart(glob: string, at: number): boolean {
  return at === 0 || '{,'.includes(glob[at - 1] ?? '')
}

function readClass(reader: Reader): string {
  const end = reader.glob.indexOf(']', reader.at + 2)
  if (end < 0) throw new GlobSyntaxError('a [ is not closed')
  const content = reader.glob.slice(reader.at, end)
  reader.at = end + 1
  const isNegated = content.startsWith('!') || content.startsWith('^')
  const members = (isNegated ? content.slice(1) : content).replace(/[\\[\]^]/g, '\\$&')
  return isNegated ? `[^/${members}]` : `[${members}]`
}

function readEscaped(reader: Reader): string {
  const next = reader.glob[reader.at]
  if (next === undefined) throw new GlobSyntaxError('a \\ stands at its end')
  reader.at += 1
  return quote(next)
}

function readBrace(reader: Reader, char: string): string | null {
  if (char === '{') {
    reader.depth += 1
    return '(?:'
  }
  if (char === ',' && reader.depth > 0) return '|'
  if (char !== '}') return null
  if (reader.depth === 0) throw new GlobSyntaxError('a } closes nothing')
  reader.depth -= 1
  return ')'
}

function quote(text: string): string {
  return text.replace(SPECIAL, '\\$&')
}
