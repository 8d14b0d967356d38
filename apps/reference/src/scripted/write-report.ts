import { findingList } from './finding-list.ts'
import type { Finding } from './findings.ts'
import { gapsText } from './gaps.ts'
import type { Knowledge } from './knowledge.ts'
import { methodText } from './method.ts'
import type { FormSection } from './report-form.ts'
import { hotSpots, summaryText } from './summary.ts'

/** The report: made of tool results only, in the form that the skill asks for. */
export function writeReport(known: Knowledge): string {
  const { form, name } = known
  const title = form.title.replace('{folder}', name)
  const sections = form.sections.flatMap((section) => sectionText(section, known))
  // What was not looked at is said in any form: silence would be taken for “all is well”.
  const asked = form.sections.some(({ id }) => id === 'gaps')
  const gaps = asked ? [] : sectionText({ id: 'gaps', heading: 'Not looked at' }, known)
  return `${[`# ${title}`, ...sections, ...gaps].join('\n\n')}\n`
}

function sectionText({ id, heading }: FormSection, known: Knowledge): string[] {
  const text = contentOf(id, known)
  return text === null ? [] : [`## ${heading}`, text]
}

/** Null leaves the section out. */
function contentOf(id: FormSection['id'], known: Knowledge): string | null {
  if (id === 'summary') return summaryText(known)
  if (id === 'hot-spots') return hotSpots(known)
  if (id === 'gaps') return gapsText(known)
  if (id === 'method') return methodText(known)
  const findings: Finding[] = known.findings.filter(({ section }) => section === id)
  return findings.length === 0 ? null : findingList(findings, known)
}
