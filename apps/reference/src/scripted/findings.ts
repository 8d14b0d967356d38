import type { DoneCall } from './conversation.ts'
import { SEARCHES, type Search } from './searches.ts'

/** One thing that was found, at one place or at several with the same text. */
export interface Finding {
  section: string
  kind: string
  path: string
  line: number
  /** Null where the text must not be repeated. */
  text: string | null
  /** Further places of the same text. */
  others: number
}

interface Match {
  path: string
  line: number
  text: string
}

/** All findings of the searches that were made, in the order of the searches. */
export function findingsOf(calls: readonly DoneCall[]): Finding[] {
  return SEARCHES.flatMap((search) => {
    const call = calls.find((done) => isSearch(done, search))
    return merge(matchesOf(call).map((match) => toFinding(match, search)))
  })
}

/** Searches whose answer was cut short, in words. */
export function cutSearches(calls: readonly DoneCall[]): string[] {
  return SEARCHES.flatMap((search) => {
    const call = calls.find((done) => isSearch(done, search))
    return call?.data?.truncated === true
      ? [`the search for “${search.kind}” stopped at its limit; there is more`]
      : []
  })
}

export function isSearch(call: DoneCall, search: Search): boolean {
  return call.tool === 'grep_files' && call.input.pattern === search.pattern && !call.failed
}

function matchesOf(call: DoneCall | undefined): Match[] {
  return Array.isArray(call?.data?.matches) ? (call.data.matches as Match[]) : []
}

function toFinding({ path, line, text }: Match, search: Search): Finding {
  return {
    section: search.section,
    kind: search.kind,
    path,
    line,
    text: search.hidesText ? null : text.trim(),
    others: 0,
  }
}

/** Repeated log lines differ in times and numbers only: one finding stands for them. */
function merge(findings: Finding[]): Finding[] {
  const merged = new Map<string, Finding>()
  for (const finding of findings) {
    const key = `${finding.path}\0${finding.text === null ? finding.line : finding.text.replace(/\d+/g, '0')}`
    const first = merged.get(key)
    if (first) first.others += 1
    else merged.set(key, finding)
  }
  return [...merged.values()]
}
