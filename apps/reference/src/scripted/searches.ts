/** A search that the planner makes, and how its findings are to be understood. */
export interface Search {
  /** Section of the report. */
  section: string
  /** What a finding is called in the report. */
  kind: string
  pattern: string
  glob?: string
  ignoreCase?: boolean
  /** The text of the line is not repeated in the report. */
  hidesText?: boolean
}

/** How many matches a search asks for: enough for a report, small enough to stay inline. */
export const SEARCH_LIMIT = 80

/** What is looked for, most pressing first. */
export const SEARCHES: readonly Search[] = [
  {
    section: 'Errors',
    kind: 'error in a log',
    pattern: String.raw`\b(ERROR|FATAL|CRITICAL|PANIC|SEVERE)\b|Traceback|Unhandled|^\S*(Error|Exception):`,
    glob: '*.{log,out,err,jsonl,ndjson}',
  },
  { section: 'Conflicts', kind: 'merge conflict', pattern: '^(<{7}|>{7}) ' },
  {
    section: 'Possible secrets',
    kind: 'possible secret',
    pattern: String.raw`(password|passwd|secret|api_?key|access_?token)["']?\s*[:=]\s*["']?[A-Za-z0-9+/_.-]{8,}`,
    ignoreCase: true,
    hidesText: true,
  },
  { section: 'Unfinished work', kind: 'FIXME', pattern: String.raw`\b(FIXME|HACK|XXX|BUG)\b[:(\s]` },
  { section: 'Unfinished work', kind: 'TODO', pattern: String.raw`\bTODO\b[:(\s]` },
]
