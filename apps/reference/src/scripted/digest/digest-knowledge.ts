import type { JsonObject } from '@kgent/contracts'
import type { DoneCall } from '../conversation.ts'
import { type FolderView, folderView, isOwnFile } from '../folder-view.ts'
import { wholeAnswer } from '../whole-answer.ts'
import { asDataFile, type DataFile, type DataSet, dataSets } from './data-files.ts'
import { fieldsIn, recordsIn } from './fields.ts'

/** Skill that says what a digest is. */
export const DIGEST_SKILL = 'data-digest'
export const DATE_PATTERN = '\\d{4}-\\d{2}-\\d{2}'
export const ROW_PATTERN = '\\S'
/** More files than that are only listed. */
const MAX_FILES = 24

export interface DigestKnowledge {
  calls: readonly DoneCall[]
  folder: FolderView
  sets: DataSet[]
  /** Data files that are counted. */
  files: DataFile[]
  /** Data files beyond the bound, and files that are no data. */
  others: { path: string; reason: string }[]
}

/** Works out what a conversation has shown of the data. */
export function digestKnowledge(calls: readonly DoneCall[]): DigestKnowledge {
  const folder = folderView(calls)
  const own = folder.files.filter(({ path }) => isOwnFile(path))
  const data = own.map(asDataFile).filter((file) => file !== null)
  const files = data.slice(0, MAX_FILES)
  const others = [
    ...data
      .slice(MAX_FILES)
      .map(({ path }) => ({ path, reason: `only the first ${MAX_FILES} data files are counted` })),
    ...own
      .filter((file) => asDataFile(file) === null)
      .map(({ path }) => ({ path, reason: 'no data format that is known here' })),
  ]
  return { calls, folder, sets: dataSets(files), files, others }
}

/** The beginning of a file as it was read; null when it was not. */
export function headOf(calls: readonly DoneCall[], path: string): JsonObject | null {
  const read = calls.find(
    ({ tool, input, failure }) => tool === 'read_file' && input.path === path && failure === null,
  )
  return read?.data ?? null
}

export function fieldsOf({ calls }: DigestKnowledge, { path, format }: DataFile): string[] {
  return fieldsIn(String(headOf(calls, path)?.text ?? ''), format)
}

/** How many lines of each file a search counted; null when it was not made or failed. */
export function countsOf(
  calls: readonly DoneCall[],
  input: JsonObject,
): { count(path: string): number; isCut: boolean } | null {
  const made = findSearch(calls, input)
  const data = made ? wholeAnswer(made, calls) : null
  if (!made || data === null) return null
  const files = Array.isArray(data.files) ? (data.files as unknown as { path: string; count: number }[]) : []
  const counts = new Map(files.map(({ path, count }) => [path, count]))
  return { count: (path) => counts.get(path) ?? 0, isCut: data.truncated === true }
}

/** First and last date that stands in a file. */
export function datesOf(
  calls: readonly DoneCall[],
  path: string,
): { first: string; last: string; isCut: boolean } | null {
  const made = findSearch(calls, { pattern: DATE_PATTERN, path })
  const data = made ? wholeAnswer(made, calls) : null
  const matches = Array.isArray(data?.matches) ? (data.matches as unknown as { text: string }[]) : []
  const dates = matches.flatMap(({ text }) => text.match(/\d{4}-\d{2}-\d{2}/g) ?? []).sort()
  const [first, last] = [dates[0], dates.at(-1)]
  return first && last ? { first, last, isCut: data?.truncated === true } : null
}

/** Records of a JSON document that was read whole; null when it was not. */
export function documentRows(calls: readonly DoneCall[], { path, format }: DataFile): JsonObject[] | null {
  const head = headOf(calls, path)
  if (format !== 'json' || head === null || head.truncated === true) return null
  return recordsIn(String(head.text), 'json')
}

/** Whether a call is the search with this input, successful or not. */
export function isSearch(done: DoneCall, input: JsonObject): boolean {
  return (
    done.tool === 'grep_files' && Object.entries(input).every(([key, value]) => done.input[key] === value)
  )
}

function findSearch(calls: readonly DoneCall[], input: JsonObject): DoneCall | undefined {
  return calls.find((done) => done.failure === null && isSearch(done, input))
}
