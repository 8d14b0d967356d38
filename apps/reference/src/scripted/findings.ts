import { mergeRepeats, timeIn } from './merge-repeats.ts'
import type { Match, SearchAnswer } from './search-answers.ts'
import { type FindingSection, SEARCHES } from './searches.ts'

interface Place {
  path: string
  line: number
  /** The time that a log line names. */
  time: string | null
}

/** One thing that was found: where first, where again, and what goes with it. */
export interface Finding extends Place {
  section: FindingSection
  kind: string
  /** The line, trimmed. Null where it must not be repeated. */
  text: string | null
  repeats: Place[]
  /** Exceptions that a log names right below an error. */
  causes: { line: number; text: string }[]
}

/** How far below an error a log's stack trace may lie. */
const TRACE_LINES = 15
const MARKERS = ['BUG', 'FIXME', 'HACK', 'XXX']

/** All findings, most pressing first; a line that several searches found counts once. */
export function findingsOf(answers: readonly SearchAnswer[]): Finding[] {
  const seen = new Set<string>()
  const found = answers.flatMap(({ search, matches }) =>
    matches
      .filter((match) => isNew(match, seen))
      .map((match) => toFinding(match, search.section, search.kindOf?.(match.text) ?? search.kind)),
  )
  return mergeRepeats(attachCauses(found)).sort(byWeight)
}

function isNew({ path, line }: Match, seen: Set<string>): boolean {
  const place = `${path}:${line}`
  return !seen.has(place) && seen.add(place) !== undefined
}

function toFinding({ path, line, text }: Match, section: FindingSection, kind: string): Finding {
  const shown = section === 'secrets' ? null : text.trim()
  return { section, kind, path, line, text: shown, time: timeIn(text), repeats: [], causes: [] }
}

/** An exception right below an error of the same log is the error's cause, not a finding of its own. */
function attachCauses(findings: readonly Finding[]): Finding[] {
  const errors = findings.filter(({ section, kind }) => section === 'errors' && kind !== 'exception')
  return findings.filter((finding) => {
    if (finding.kind !== 'exception') return true
    const above = errors.filter(
      ({ path, line }) => path === finding.path && line < finding.line && finding.line - line <= TRACE_LINES,
    )
    const nearest = above.sort((one, other) => other.line - one.line)[0]
    if (!nearest) return true
    nearest.causes.push({ line: finding.line, text: finding.text ?? '' })
    return false
  })
}

function byWeight(one: Finding, other: Finding): number {
  return (
    weight(one) - weight(other) ||
    Number(isTest(one)) - Number(isTest(other)) ||
    other.repeats.length - one.repeats.length ||
    byPlace(one, other)
  )
}

function weight({ section, kind }: Finding): number {
  const search = SEARCHES.findIndex((candidate) => candidate.section === section && candidate.kind === kind)
  const inSection = SEARCHES.findIndex((candidate) => candidate.section === section)
  const marker = Math.max(0, MARKERS.indexOf(kind))
  return (search === -1 ? inSection : search) * MARKERS.length + (section === 'defects' ? marker : 0)
}

/** What tests and their data hold is less pressing: much of it is there on purpose. */
function isTest({ path }: Finding): boolean {
  return /(^|\/)(tests?|__tests__|spec|fixtures?|mocks?)\/|[._](test|spec)\.\w+$/.test(path)
}

function byPlace(one: Finding, other: Finding): number {
  return one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1
}
