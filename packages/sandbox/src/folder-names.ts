import { type Dirent, opendirSync, readdirSync, statSync } from 'node:fs'
import type { FolderHandle } from './folder-handle.ts'

export type EntryType = 'file' | 'directory' | 'link' | 'other'

export interface FolderName {
  name: string
  type: EntryType
}

/** Folders whose own size is below this are read at once: a few hundred entries. */
const SMALL_FOLDER_BYTES = 64 * 1024
const FIRST_PAGE = 4_096
const PAGE_GROWTH = 8
const ENTRIES_A_TURN = 1_024

/**
 * The names of a folder in order. A very large folder is read in pages that hold the next names only, so that the first
 * thousand of them cost no memory in proportion. Null is given in between, where others may get their turn.
 * **Throws:** what the operating system reports.
 */
export function* namesInOrder(folder: FolderHandle): Generator<FolderName | null> {
  if (statSync(folder.self).size < SMALL_FOLDER_BYTES) {
    yield* readdirSync(folder.self, { withFileTypes: true }).map(toName).sort(byName)
    return
  }
  let last = ''
  for (let size = FIRST_PAGE; ; size *= PAGE_GROWTH) {
    const page: Page = { size, after: last, names: [], isCut: false }
    yield* readPage(folder, page)
    yield* page.names
    if (!page.isCut) return
    last = page.names.at(-1)?.name ?? last
  }
}

interface Page {
  readonly size: number
  /** Names up to this one were in earlier pages. */
  readonly after: string
  names: FolderName[]
  /** Whether names had to be left for the next page. */
  isCut: boolean
}

function* readPage(folder: FolderHandle, page: Page): Generator<null> {
  const directory = opendirSync(folder.self, { bufferSize: ENTRIES_A_TURN })
  try {
    let read = 0
    let bound: string | null = null
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      read += 1
      if (read % ENTRIES_A_TURN === 0) yield null
      if (entry.name <= page.after) continue
      if (bound !== null && entry.name > bound) page.isCut = true
      else page.names.push(toName(entry))
      if (page.names.length >= page.size * 2) bound = cut(page)
    }
  } finally {
    directory.closeSync()
  }
  cut(page)
}

/** Keeps the page's smallest names; the last of them bounds what else may come in. */
function cut(page: Page): string | null {
  page.names.sort(byName)
  if (page.names.length > page.size) {
    page.names.length = page.size
    page.isCut = true
  }
  return page.names.at(-1)?.name ?? null
}

function byName(a: FolderName, b: FolderName): number {
  return a.name < b.name ? -1 : 1
}

function toName(entry: Dirent): FolderName {
  return { name: entry.name, type: typeOf(entry) }
}

/** What kind of entry it is, in one word. */
export function typeOf(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): EntryType {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  return entry.isSymbolicLink() ? 'link' : 'other'
}
