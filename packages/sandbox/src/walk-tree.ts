import { lstatSync, readdirSync, type Stats } from 'node:fs'
import type { FolderHandle } from './folder-handle.ts'
import { isTemporaryName } from './temporary-name.ts'

/** One entry of a tree, in order of path. */
export interface TreeEntry {
  path: string
  name: string
  /** The folder that holds it. Only usable until the walk goes on. */
  folder: FolderHandle
  stats: Stats
}

/** What a walk could not show. */
export type TreeSkip = (reason: 'unreadable' | 'hidden') => void

/**
 * Walks a folder in the order of whole paths, without following links. Each folder is held while its entries are used,
 * so that nothing that is swapped meanwhile leads elsewhere.
 */
export function* walkTree(
  folder: FolderHandle,
  path: string,
  options: { recursive: boolean; enter: (path: string) => boolean; skip: TreeSkip },
): Generator<TreeEntry> {
  for (const { name, isDescent } of orderedNames(folder, options.skip)) {
    const child = `${path}/${name}`
    if (!isDescent) {
      const stats = statsOf(folder, name)
      if (stats) yield { path: child, name, folder, stats }
      else options.skip('unreadable')
    } else if (options.recursive && options.enter(child))
      yield* descend(folder, name, { path: child, options })
  }
}

interface Descent {
  path: string
  options: Parameters<typeof walkTree>[2]
}

function* descend(folder: FolderHandle, name: string, { path, options }: Descent): Generator<TreeEntry> {
  const below = openQuietly(folder, name)
  if (!below) return options.skip('unreadable')
  try {
    yield* walkTree(below, path, options)
  } finally {
    below.close()
  }
}

/** Names, and behind each folder's name the descent into it, sorted as the whole paths sort (`a`, `a.txt`, `a/b`). */
function orderedNames(folder: FolderHandle, skip: TreeSkip): { name: string; isDescent: boolean }[] {
  const names: { key: string; name: string; isDescent: boolean }[] = []
  for (const entry of entriesOf(folder, skip)) {
    if (isTemporaryName(entry.name)) {
      skip('hidden')
      continue
    }
    names.push({ key: entry.name, name: entry.name, isDescent: false })
    if (entry.isDirectory()) names.push({ key: `${entry.name}/`, name: entry.name, isDescent: true })
  }
  return names.sort((a, b) => (a.key < b.key ? -1 : 1))
}

function entriesOf(folder: FolderHandle, skip: TreeSkip) {
  try {
    return readdirSync(folder.self, { withFileTypes: true })
  } catch {
    skip('unreadable')
    return []
  }
}

function statsOf(folder: FolderHandle, name: string): Stats | null {
  try {
    return lstatSync(folder.entry(name))
  } catch {
    return null
  }
}

function openQuietly(folder: FolderHandle, name: string): FolderHandle | null {
  try {
    return folder.open(name)
  } catch {
    return null
  }
}
