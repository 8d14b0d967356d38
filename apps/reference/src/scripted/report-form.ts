/** How a report is to look: what a skill says, or the plain form where there is none. */
export interface ReportForm {
  title: string
  sections: string[]
  maxFindings: number
  /** Where the form comes from, for the report's last line. */
  source: string
}

export const PLAIN_FORM: ReportForm = {
  title: 'Findings in {folder}',
  sections: ['Summary', 'Errors', 'Conflicts', 'Possible secrets', 'Unfinished work', 'Not looked at'],
  maxFindings: 20,
  source: 'the plain form, since no skill was found',
}

/** Reads the form out of a skill's text: the title, the numbered sections and the bound. What it does not say stays plain. */
export function readForm(body: string, skillId: string): ReportForm {
  const title = /^[-*]\s*Title:\s*(.+)$/im.exec(body)?.[1]
  const sections = [...body.matchAll(/^\s*\d+\.\s+\*{0,2}([^*\n:—–]+?)\*{0,2}\s*(?:[:—–].*)?$/gm)].map(
    (match) => (match[1] ?? '').trim(),
  )
  const maxFindings = Number(/at most (\d+) findings/i.exec(body)?.[1] ?? PLAIN_FORM.maxFindings)
  return {
    title: title?.replace(/`/g, '').trim() ?? PLAIN_FORM.title,
    sections: sections.length > 0 ? sections : PLAIN_FORM.sections,
    maxFindings,
    source: `the skill ${skillId}`,
  }
}
