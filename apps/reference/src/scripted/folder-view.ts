import type { JsonObject } from '@kgent/contracts'
import type { DoneCall } from './conversation.ts'
import { wholeAnswer } from './whole-answer.ts'

/** The mount that the main job is about. */
export const FOLDER = 'inputs'

/** Folders that hold what others wrote or what a tool made: looking into them would bury what matters. */
const SKIPPED = [
  '.git',
  '.hg',
  '.svn',
  '.venv',
  '.turbo',
  '.next',
  '__pycache__',
  'build',
  'coverage',
  'dist',
  'node_modules',
  'target',
  'vendor',
  'venv',
]

/** Glob that leaves them out, at any depth. */
export const OWN_FILES = `!**/{${SKIPPED.join(',')}}/**`

/** Whether a path lies in none of them. */
export function isOwnFile(path: string): boolean {
  return !path.split('/').some((part) => SKIPPED.includes(part))
}

interface FileEntry {
  path: string
  bytes: number
}

/** What the listings have shown of the folder. */
export interface FolderView {
  /** Why it could not be listed, or null. */
  failure: string | null
  /** Whether it was seen that nothing at all is in it. */
  isEmpty: boolean
  files: FileEntry[]
  /** Whether the listing stopped at its limit, so that more files exist. */
  isCut: boolean
  /** Names of skipped folders that were seen at the top. */
  skipped: string[]
  leftOut: JsonObject
  /** A mount that may only be read, for the one thing that is tried although it is forbidden. */
  readOnlyMount: string | null
}

/** Reads the view out of the listings of a conversation. */
export function folderView(calls: readonly DoneCall[]): FolderView {
  const listings = calls.filter(({ tool }) => tool === 'list_files')
  const [top] = listings
  const deep = listings.find(({ input }) => input.recursive === true)
  const topData = top ? wholeAnswer(top, calls) : null
  const data = deep ? wholeAnswer(deep, calls) : topData
  const atTop = entriesOf(topData)
  const failure = [top, deep].find((call) => call && call.failure !== null)?.summary ?? null
  return {
    failure,
    isEmpty: failure === null && topData !== null && atTop.length === 0 && !hidesAny(topData),
    files: entriesOf(data)
      .filter(({ type }) => type === 'file')
      .map(({ path, bytes }) => ({ path: String(path), bytes: Number(bytes ?? 0) })),
    isCut: data?.truncated === true || (deep !== undefined && deep.failure === null && data === null),
    skipped: atTop
      .filter(({ type, path }) => type === 'directory' && SKIPPED.includes(baseName(String(path))))
      .map(({ path }) => baseName(String(path))),
    leftOut: (data?.leftOut ?? {}) as JsonObject,
    readOnlyMount: readOnlyMount(topData),
  }
}

/** A path like `inputs/README.md`, directly in the folder; the first that matches. */
export function topFile(view: FolderView, name: RegExp): string | null {
  return (
    view.files.find(({ path }) => path.split('/').length === 2 && name.test(baseName(path)))?.path ?? null
  )
}

/** Whether something is there that the listing may not show. */
function hidesAny({ leftOut }: JsonObject): boolean {
  return Object.values((leftOut ?? {}) as JsonObject).some((count) => Number(count) > 0)
}

function entriesOf(data: JsonObject | null): JsonObject[] {
  return Array.isArray(data?.entries) ? (data.entries as JsonObject[]) : []
}

function readOnlyMount(data: JsonObject | null): string | null {
  const mounts = Array.isArray(data?.mounts) ? (data.mounts as JsonObject[]) : []
  const readOnly = mounts.filter(({ mode }) => mode === 'ro').map(({ name }) => String(name))
  return readOnly.includes(FOLDER) ? FOLDER : (readOnly[0] ?? null)
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
