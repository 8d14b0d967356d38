import { fail, type Outcome, succeed } from '@kgent/contracts'
import { RE2JS } from 're2js'

/** Finds the first match in a line (without its end), as an index; -1 when there is none. */
export interface LineMatcher {
  find(line: string): number
  /** Texts of which one must stand in a file for anything to match, as bytes; null when nothing is known. */
  readonly needles: readonly Buffer[] | null
}

/**
 * Compiles a pattern. Regular expressions are RE2's: linear in the text for every pattern, without back-references and
 * look-around. Plain texts, and alternatives of them, are found in the bytes first.
 */
export function compilePattern(
  pattern: string,
  options: { literal: boolean; ignoreCase: boolean },
): Outcome<LineMatcher> {
  const literals = options.literal ? [pattern] : literalAlternatives(pattern)
  const needles = options.ignoreCase ? null : literals?.map((text) => Buffer.from(text))
  if (literals && !options.ignoreCase) {
    return succeed({ needles: needles ?? null, find: (line) => firstOf(line, literals) })
  }
  try {
    const source = options.literal ? RE2JS.quote(pattern) : pattern
    const compiled = RE2JS.compile(source, options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
    return succeed({
      needles: null,
      find(line) {
        const matcher = compiled.matcher(line)
        return matcher.find() ? matcher.start() : -1
      },
    })
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.split('\n')[0]?.slice(0, 200) : 'syntax error'
    return fail('invalid_pattern', `The pattern is not a valid RE2 expression: ${why}.`, {
      hint: 'Back-references and look-around have no linear-time form. Set literal: true to search for plain text.',
    })
  }
}

/** The alternatives of a pattern such as `TODO|FIXME`; null for anything that is more than text. */
function literalAlternatives(pattern: string): string[] | null {
  return /[\\^$.*+?()[\]{}]/.test(pattern) || pattern.split('|').includes('') ? null : pattern.split('|')
}

function firstOf(line: string, texts: readonly string[]): number {
  let first = -1
  for (const text of texts) {
    const at = line.indexOf(text)
    if (at >= 0 && (first < 0 || at < first)) first = at
  }
  return first
}
