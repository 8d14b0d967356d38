import type { DoneCall } from './conversation.ts'
import { type Finding, findingsOf } from './findings.ts'
import { FOLDER, type FolderView, folderView, topFile } from './folder-view.ts'
import { PLAIN_FORM, type ReportForm, readForm } from './report-form.ts'
import { type SearchAnswer, searchAnswers } from './search-answers.ts'

/** Skill that says how the report is to look. */
export const REPORT_SKILL = 'findings-report'

/** Everything that the planner knows: read from the answers of the conversation, each time anew. */
export interface Knowledge {
  calls: readonly DoneCall[]
  folder: FolderView
  /** What the folder calls itself in its README, or its mount's name. */
  name: string
  form: ReportForm
  searches: SearchAnswer[]
  findings: Finding[]
}

/** Works out what the answers of a conversation say. */
export function knowledgeFrom(calls: readonly DoneCall[]): Knowledge {
  const folder = folderView(calls)
  const searches = searchAnswers(calls)
  return {
    calls,
    folder,
    name: nameOf(folder, calls),
    form: formOf(calls),
    searches,
    findings: findingsOf(searches),
  }
}

/** The README at the top of the folder, which is read for the folder's name. */
export function readmeOf(folder: FolderView): string | null {
  return topFile(folder, /^readme(\.(md|txt|rst|adoc))?$/i)
}

function nameOf(folder: FolderView, calls: readonly DoneCall[]): string {
  const readme = readmeOf(folder)
  const read = calls.find(
    ({ tool, input, failure }) => tool === 'read_file' && input.path === readme && failure === null,
  )
  const text = typeof read?.data?.text === 'string' ? read.data.text : ''
  const heading = /^#\s+(.+)$/m.exec(text)?.[1]?.trim()
  return heading === undefined ? FOLDER : `${FOLDER} (${heading.slice(0, 60)})`
}

function formOf(calls: readonly DoneCall[]): ReportForm {
  const loaded = calls.find(({ tool, failure }) => tool === 'load_skill' && failure === null)
  return typeof loaded?.data?.body === 'string'
    ? readForm(loaded.data.body, String(loaded.data.id))
    : PLAIN_FORM
}
