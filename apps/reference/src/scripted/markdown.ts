const MAX_SPAN_CHARS = 200

/** Untrusted text as inline code: on one line, bounded, and unable to end the code span that it stands in. */
export function codeSpan(text: string): string {
  const line = visible(text.trim())
  const short = line.length > MAX_SPAN_CHARS ? `${line.slice(0, MAX_SPAN_CHARS - 1)}…` : line
  if (short === '') return '(an empty line)'
  const fence = '`'.repeat(longestRun(short) + 1)
  const padding = short.startsWith('`') || short.endsWith('`') ? ' ' : ''
  return `${fence}${padding}${short}${padding}${fence}`
}

/** Untrusted lines as a block of code. */
export function codeBlock(lines: readonly string[], indent = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1))
  return [fence, ...lines.map(visible), fence].map((line) => `${indent}${line}`.trimEnd()).join('\n')
}

/** A table; cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** `1 finding`, `2 findings`, `1,200 findings`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`
}

/** Bytes for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Control characters, and those that reorder text for the eye, as escapes. */
function visible(text: string): string {
  return text
    .replaceAll('\t', '  ')
    .replace(
      /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
