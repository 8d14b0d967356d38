import type { DoneCall } from './conversation.ts'
import { cutSearches, type Finding, findingsOf } from './findings.ts'
import { PLAIN_FORM, type ReportForm, readForm } from './report-form.ts'

interface FileEntry {
  path: string
  type: string
  bytes: number | null
}

/** The report, made of tool results only: another folder gives another report, an empty one an honest one. */
export function writeReport(calls: readonly DoneCall[]): string {
  const form = formOf(calls)
  const facts = { calls, form, files: filesOf(calls), findings: findingsOf(calls) }
  const sections = form.sections.flatMap((section) => sectionText(section, facts))
  return `${[`# ${form.title.replace('{folder}', '`inputs`')}`, ...sections, footer(form)].join('\n\n')}\n`
}

interface Facts {
  calls: readonly DoneCall[]
  form: ReportForm
  files: FileEntry[]
  findings: Finding[]
}

function formOf(calls: readonly DoneCall[]): ReportForm {
  const loaded = calls.find(({ tool, failed }) => tool === 'load_skill' && !failed)
  return typeof loaded?.data?.body === 'string'
    ? readForm(loaded.data.body, String(loaded.data.id))
    : PLAIN_FORM
}

export function filesOf(calls: readonly DoneCall[]): FileEntry[] {
  const listed = calls.find(({ tool, failed }) => tool === 'list_files' && !failed)
  const entries = Array.isArray(listed?.data?.entries) ? (listed.data.entries as FileEntry[]) : []
  return entries.filter(({ type }) => type === 'file')
}

function sectionText(section: string, facts: Facts): string[] {
  if (/^summary$/i.test(section)) return [`## ${section}`, summaryText(facts)]
  if (/^not looked at$/i.test(section)) return [`## ${section}`, notLookedAt(facts)]
  const findings = facts.findings.filter((finding) => finding.section.toLowerCase() === section.toLowerCase())
  return findings.length === 0 ? [] : [`## ${section}`, findingLines(findings, facts)]
}

function summaryText({ files, findings, calls }: Facts): string {
  if (files.length === 0) return emptyText(calls)
  const kinds = new Map<string, number>()
  for (const { kind, others } of findings) kinds.set(kind, (kinds.get(kind) ?? 0) + 1 + others)
  const counts = [...kinds].map(([kind, count]) => `${count} × ${kind}`).join(', ')
  const bytes = files.reduce((sum, { bytes: size }) => sum + (size ?? 0), 0)
  const seen = `${files.length} files (${sizeText(bytes)}) were listed`
  const places = new Set(findings.map(({ path }) => path)).size
  if (findings.length === 0) return `${seen}; nothing of what was searched for was found.`
  return `${seen}; findings in ${places} of them: ${counts}.`
}

function emptyText(calls: readonly DoneCall[]): string {
  const listed = calls.find(({ tool }) => tool === 'list_files')
  return listed?.failed === false
    ? 'The folder is empty: there was nothing to look at, and there are no findings.'
    : `The folder could not be listed: ${listed?.summary ?? 'no answer'}.`
}

function findingLines(findings: Finding[], { form, calls }: Facts): string {
  const shown = findings.slice(0, form.maxFindings).map((finding) => findingLine(finding, calls))
  const left = findings.length - shown.length
  return [...shown, ...(left > 0 ? [`- … and ${left} more`] : [])].join('\n')
}

function findingLine({ path, line, kind, text, others }: Finding, calls: readonly DoneCall[]): string {
  const said = text === null ? `${kind} (its text is not repeated here)` : `${kind}: ${inlineCode(text)}`
  const again = others > 0 ? `, and ${others} more like it in this file` : ''
  const context = contextOf(calls, { path, line })
  return [`- **${path}:${line}** – ${said}${again}`, ...context].join('\n')
}

/** The lines around a finding, where its window was read. */
function contextOf(calls: readonly DoneCall[], place: { path: string; line: number }): string[] {
  const window = calls.find(
    ({ tool, data, failed }) =>
      tool === 'read_file' &&
      !failed &&
      data?.path === place.path &&
      Number(data.startLine) <= place.line &&
      Number(data.endLine) >= place.line,
  )
  if (typeof window?.data?.text !== 'string') return []
  const start = Number(window.data.startLine)
  const lines = window.data.text
    .split(/\r?\n/)
    .slice(Math.max(0, place.line - start - 2), place.line - start + 3)
  return ['  ```', ...lines.map((line) => `  ${line.replaceAll('```', "'''").slice(0, 160)}`), '  ```']
}

function notLookedAt({ calls }: Facts): string {
  const remarks = [...cutSearches(calls), ...calls.flatMap(leftOutRemark), ...calls.flatMap(refusalRemark)]
  const listed = calls.find(({ tool }) => tool === 'list_files')
  if (listed?.data?.truncated === true)
    remarks.unshift('the listing stopped at its limit: the folder holds more files')
  return remarks.length === 0
    ? 'Nothing was left out.'
    : [...new Set(remarks)].map((remark) => `- ${remark}`).join('\n')
}

function leftOutRemark({ tool, data }: DoneCall): string[] {
  if (tool !== 'grep_files' || typeof data?.leftOut !== 'object' || data.leftOut === null) return []
  const parts = Object.entries(data.leftOut as Record<string, number>).map(
    ([reason, count]) => `${count} ${reason}`,
  )
  return parts.length === 0 ? [] : [`files left out of a search: ${parts.join(', ')}`]
}

function refusalRemark({ failed, tool, summary, input }: DoneCall): string[] {
  return failed
    ? [
        `${tool}${typeof input.path === 'string' ? ` on \`${input.path}\`` : ''} was refused or failed: ${summary}`,
      ]
    : []
}

function footer(form: ReportForm): string {
  return `---\n\nMade by kgent's rule-based planner after ${form.source}. Every finding comes from a tool result of this run.`
}

function inlineCode(text: string): string {
  const short = text.length > 160 ? `${text.slice(0, 159)}…` : text
  return `\`${short.replaceAll('`', "'")}\``
}

function sizeText(bytes: number): string {
  return bytes < 10_000
    ? `${bytes} bytes`
    : bytes < 10_000_000
      ? `${Math.round(bytes / 1000)} kB`
      : `${Math.round(bytes / 1_000_000)} MB`
}
