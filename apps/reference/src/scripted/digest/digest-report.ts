import type { JsonObject } from '@kgent/contracts'
import { FOLDER } from '../folder-view.ts'
import { codeSpan, counted, table } from '../markdown.ts'
import type { DataFile, DataSet } from './data-files.ts'
import {
  countsOf,
  type DigestKnowledge,
  datesOf,
  documentRows,
  fieldsOf,
  headOf,
} from './digest-knowledge.ts'

/** The searches that the numbers come from. */
export interface DigestSearches {
  rows: JsonObject
  emptiesOf(file: DataFile): { field: string; input: JsonObject }[]
}

/** What is told of one file. No value of a row is in it. */
export interface FileCounts {
  path: string
  format: string
  rows: number | null
  rowsAreExact: boolean
  fields: string[]
  empty: Record<string, number>
  dates: { first: string; last: string } | null
}

/** The counts of every file, from the searches that were made. */
export function countFiles(known: DigestKnowledge, searches: DigestSearches): FileCounts[] {
  return known.files.map((file) => countsOfFile(known, { file, searches }))
}

/** The digest for people: one table a set. */
export function digestText(known: DigestKnowledge, all: readonly FileCounts[]): string {
  const { sets, files, folder } = known
  if (folder.failure !== null) return `# Data digest\n\nThe folder could not be listed: ${folder.failure}\n`
  if (files.length === 0)
    return `# Data digest\n\nNo data files (CSV, TSV, JSON, JSON Lines) are in ${FOLDER}.\n`
  const total = all.reduce((sum, { rows }) => sum + (rows ?? 0), 0)
  return [
    '# Data digest',
    `${counted(files.length, 'file')} in ${counted(sets.length, 'set')}, ${counted(total, 'row')} in all. Values of rows are not repeated here.`,
    ...sets.map((set) => setText(set, all)),
    `## Not counted\n\n${notCounted(known)}`,
  ]
    .join('\n\n')
    .concat('\n')
}

/** The same numbers for programs; the form is the skill's `references/counts-format.md`. */
export function countsJson(known: DigestKnowledge, files: readonly FileCounts[]): string {
  return `${JSON.stringify({ files, notCounted: known.others }, null, 2)}\n`
}

function countsOfFile(
  known: DigestKnowledge,
  { file, searches }: { file: DataFile; searches: DigestSearches },
): FileCounts {
  const { calls } = known
  const dates = datesOf(calls, file.path)
  const records = documentRows(calls, file)
  const lines = file.format === 'json' ? null : countsOf(calls, searches.rows)
  const header = file.format === 'csv' || file.format === 'tsv' ? 1 : 0
  return {
    path: file.path,
    format: file.format,
    rows: records?.length ?? (lines === null ? null : Math.max(0, lines.count(file.path) - header)),
    rowsAreExact: records !== null || lines?.isCut === false,
    fields: fieldsOf(known, file),
    empty: records === null ? emptyFields(known, { file, searches }) : emptyIn(records),
    dates: dates && { first: dates.first, last: dates.last },
  }
}

function emptyFields(
  { calls }: DigestKnowledge,
  { file, searches }: { file: DataFile; searches: DigestSearches },
): Record<string, number> {
  const counts = searches
    .emptiesOf(file)
    .map(({ field, input }) => [field, countsOf(calls, input)?.count(file.path) ?? 0])
  return Object.fromEntries(counts.filter(([, count]) => Number(count) > 0))
}

function emptyIn(records: readonly JsonObject[]): Record<string, number> {
  const empty: Record<string, number> = {}
  for (const record of records)
    for (const [field, value] of Object.entries(record))
      if (value === null || value === '') empty[field] = (empty[field] ?? 0) + 1
  return empty
}

function setText({ name, files }: DataSet, all: readonly FileCounts[]): string {
  const rows = all.filter(({ path }) => files.some((file) => file.path === path))
  const [first] = rows
  const cells = rows.map((file) => [
    codeSpan(file.path),
    file.rows === null
      ? 'not counted'
      : `${file.rowsAreExact ? '' : 'at least '}${file.rows.toLocaleString('en-GB')}`,
    String(file.fields.length),
    file.dates === null ? '' : `${file.dates.first} – ${file.dates.last}`,
    oddities(file, first),
  ])
  return `## ${codeSpan(name)}\n\nFields: ${(first?.fields ?? []).map(codeSpan).join(', ') || 'none found'}.\n\n${table(['file', 'rows', 'fields', 'dates', 'odd'], cells)}`
}

function oddities({ fields, empty }: FileCounts, first: FileCounts | undefined): string {
  const added = fields.filter((field) => !first?.fields.includes(field))
  const gone = (first?.fields ?? []).filter((field) => !fields.includes(field))
  return [
    ...Object.entries(empty).map(
      ([field, count]) => `${codeSpan(field)} is empty in ${counted(count, 'row')}`,
    ),
    ...(added.length > 0 ? [`has ${added.map(codeSpan).join(', ')} besides`] : []),
    ...(gone.length > 0 ? [`has no ${gone.map(codeSpan).join(', ')}`] : []),
  ].join('; ')
}

function notCounted(known: DigestKnowledge): string {
  const { others, folder, calls, files } = known
  const unread = files.filter(({ path }) => headOf(calls, path) === null)
  const hidden = Object.entries(folder.leftOut).filter(([, count]) => Number(count) > 0)
  const remarks = [
    ...others.map(({ path, reason }) => `${codeSpan(path)}: ${reason}`),
    ...unread.map(({ path }) => `${codeSpan(path)}: its first lines could not be read`),
    ...hidden.map(([reason, count]) => `${count} × ${reason}, left out of the listing`),
    ...(folder.isCut ? ['The listing was cut short: more files exist.'] : []),
  ]
  return remarks.length === 0 ? 'Nothing was left out.' : remarks.map((remark) => `- ${remark}`).join('\n')
}
