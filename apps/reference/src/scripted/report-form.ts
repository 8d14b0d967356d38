import type { FindingSection } from './searches.ts'

/** What a section of the report may hold. */
type SectionId = FindingSection | 'summary' | 'hot-spots' | 'gaps' | 'method'

export interface FormSection {
  id: SectionId
  heading: string
}

/** How a report is to look. */
export interface ReportForm {
  /** With `{folder}` where the folder's name belongs. */
  title: string
  sections: FormSection[]
  /** Findings that a section shows before it only counts the rest. */
  maxFindings: number
  /** Lines shown around a finding. */
  contextLines: number
  /** Where the form comes from, for the report's own words about itself. */
  source: string
}

/** The form where no skill says another. */
export const PLAIN_FORM: ReportForm = {
  title: 'Findings in {folder}',
  sections: [
    { id: 'summary', heading: 'Summary' },
    { id: 'errors', heading: 'Errors in logs' },
    { id: 'conflicts', heading: 'Merge conflicts' },
    { id: 'secrets', heading: 'Possible secrets' },
    { id: 'defects', heading: 'Known defects' },
    { id: 'risks', heading: 'Risky code' },
    { id: 'open-work', heading: 'Open work' },
    { id: 'warnings', heading: 'Warnings in logs' },
    { id: 'gaps', heading: 'Not looked at' },
    { id: 'method', heading: 'How this was made' },
  ],
  maxFindings: 20,
  contextLines: 5,
  source: 'a plain form, because no skill says how a report is to look',
}

const SECTION_IDS: readonly string[] = [...PLAIN_FORM.sections.map(({ id }) => id), 'hot-spots']

/**
 * Reads the form out of a skill's text: the line `Title: …`, the numbered list of sections, each with its content in
 * parentheses (`1. **Errors in logs** (errors): …`), and the bounds “at most N findings” and “at most N lines”.
 * What the text does not say stays plain.
 */
export function readForm(body: string, skill: string): ReportForm {
  const title = /^\s*[-*]?\s*\**Title\**:\**\s*(.+)$/im.exec(body)?.[1]
  const sections = body.split(/\r?\n/).flatMap(readSection)
  return {
    title: title?.replace(/[`“”"]/g, '').trim() || PLAIN_FORM.title,
    sections: sections.length > 0 ? sections : PLAIN_FORM.sections,
    maxFindings: bound(body, 'findings') ?? PLAIN_FORM.maxFindings,
    contextLines: bound(body, 'lines') ?? PLAIN_FORM.contextLines,
    source:
      sections.length > 0
        ? `the skill ${skill}`
        : `a plain form, because the planner finds no list of sections in the skill ${skill}`,
  }
}

/** `1. **Heading** (id): …`; without an id the heading is one of the plain form's. */
function readSection(line: string): FormSection[] {
  const [, rest] = /^\s{0,3}\d+[.)]\s+(.+)$/.exec(line) ?? []
  if (rest === undefined) return []
  const heading = (/^\*\*(.+?)\*\*/.exec(rest) ?? /^([^(:–—]+)/.exec(rest))?.[1]?.trim() ?? ''
  const named = /\(`?([a-z-]+)`?\)/.exec(rest)?.[1]
  const plain = PLAIN_FORM.sections.find((section) => section.heading.toLowerCase() === heading.toLowerCase())
  const id = named !== undefined && SECTION_IDS.includes(named) ? (named as SectionId) : plain?.id
  return id === undefined ? [] : [{ id, heading }]
}

function bound(body: string, what: string): number | undefined {
  const number = new RegExp(`at most (\\d+) ${what}`, 'i').exec(body)?.[1]
  return number === undefined ? undefined : Number(number)
}
