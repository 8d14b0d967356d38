import { fail, type Outcome, succeed } from '@kgent/contracts'
import { RE2JS } from 're2js'
import { indexOfText } from '../occurrences.ts'
import { syntaxError } from '../syntax-error.ts'
import { utf8Edge } from '../utf8-edge.ts'

export interface TextRange {
  start: number
  end: number
}

/** What a search looks for. Lines are given without their ends. */
export interface LineMatcher {
  /** The first match in a line that begins at `from` (default 0) or later. */
  find(line: string, from?: number): TextRange | null
  /** Texts of which one stands in every line that matches, as UTF-8; null when nothing is known. */
  readonly needles: readonly Buffer[] | null
  /** Whether any of some whole lines may match. Never false when one does. */
  mayMatch(lines: Buffer): boolean
}

const CARRIAGE_RETURN = 13
const MAX_NEEDLE_BYTES = 64

/**
 * Compiles a pattern. Regular expressions are RE2's: linear in the text for every pattern, without back-references and
 * look-around. Plain texts, and alternatives of them, are found in the bytes first.
 */
export function compilePattern(
  pattern: string,
  options: { literal: boolean; ignoreCase: boolean },
): Outcome<LineMatcher> {
  const literals = options.literal ? [pattern] : literalAlternatives(pattern)
  if (literals && !options.ignoreCase) return succeed(literalMatcher(literals))
  try {
    return succeed(expressionMatcher(options.literal ? RE2JS.quote(pattern) : pattern, options))
  } catch (thrown) {
    return fail('invalid_pattern', `The pattern is not a valid RE2 expression: ${syntaxError(thrown)}.`, {
      hint: 'Back-references and look-around have no linear-time form. Set literal: true to search for plain text.',
    })
  }
}

/** The alternatives of a pattern such as `TODO|FIXME`; null for anything that is more than text. */
function literalAlternatives(pattern: string): string[] | null {
  return /[\\^$.*+?()[\]{}]/.test(pattern) || pattern.split('|').includes('') ? null : pattern.split('|')
}

function literalMatcher(literals: readonly string[]): LineMatcher {
  return {
    needles: literals.map(needleOf),
    find(line, from = 0) {
      let found: TextRange | null = null
      for (const text of literals) {
        const start = indexOfText(line, text, from)
        if (start >= 0 && (found === null || start < found.start)) found = { start, end: start + text.length }
      }
      return found
    },
    mayMatch: () => true,
  }
}

/** The beginning of a text, as bytes: short, so that finding it is linear. */
function needleOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  return bytes.subarray(0, utf8Edge(bytes, Math.min(bytes.length, MAX_NEEDLE_BYTES)))
}

function expressionMatcher(source: string, { ignoreCase }: { ignoreCase: boolean }): LineMatcher {
  const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0
  const compiled = RE2JS.compile(source, flags)
  const manyLines = RE2JS.compile(source, flags | RE2JS.MULTILINE)
  // These tell a line's edges from those of the text around it.
  const isAboutWholeText = /\\[AzZ]|\(\?[^:]/.test(source)
  return {
    needles: null,
    find(line, from = 0) {
      const matcher = compiled.matcher(line)
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : null
    },
    mayMatch: (lines) => isAboutWholeText || lines.includes(CARRIAGE_RETURN) || manyLines.test(lines),
  }
}
