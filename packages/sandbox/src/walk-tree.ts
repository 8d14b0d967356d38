import { lstatSync, type Stats } from 'node:fs'
import type { FolderHandle } from './folder-handle.ts'
import { type EntryType, type FolderName, namesInOrder } from './folder-names.ts'
import { isNestedMount, type OpenMount } from './mount-table.ts'
import { isTemporaryName } from './temporary-name.ts'

/** One entry of a tree. */
export interface TreeEntry {
  path: string
  name: string
  type: EntryType
  /** The folder that holds it. Only usable until the walk goes on. */
  folder: FolderHandle
}

export interface TreeWalk {
  recursive: boolean
  /** Whether to show an entry and, for a folder, what is below it. Asked once for each. */
  accept(entry: TreeEntry): boolean
  /** Whether a folder is none of this tree: shown, and not gone into. */
  isLink(entry: TreeEntry): boolean
  /** What is beyond showing. */
  skip(reason: 'unreadable' | 'hidden'): void
}

/**
 * Walks a folder in the order of whole paths (`a`, `a.txt`, `a/b`), without following links. Each folder is held while its
 * entries are used, so that nothing that is swapped meanwhile leads elsewhere. Null is given in between, where others may
 * get their turn. **Throws:** what the operating system reports about the first folder; others are skipped.
 */
export function* walkTree(folder: FolderHandle, path: string, walk: TreeWalk): Generator<TreeEntry | null> {
  const waiting: string[] = []
  for (const found of namesInOrder(folder)) {
    if (found === null) {
      yield null
      continue
    }
    yield* descendBefore(`${found.name}`, { waiting, folder, path, walk })
    const entry = entryOf(found, folder, path, walk)
    if (!entry) continue
    yield entry
    if (entry.type === 'directory' && walk.recursive) insert(waiting, `${found.name}/`)
  }
  yield* descendBefore(null, { waiting, folder, path, walk })
}

interface Descents {
  /** Folders that are still to be gone into, as names with a slash, in order. */
  waiting: string[]
  folder: FolderHandle
  path: string
  walk: TreeWalk
}

/** Goes into the folders whose entries come before a name; null means all. */
function* descendBefore(name: string | null, descents: Descents): Generator<TreeEntry | null> {
  const { waiting, folder, path, walk } = descents
  while (waiting[0] !== undefined && (name === null || waiting[0] < name)) {
    const next = waiting.shift()?.slice(0, -1) ?? ''
    yield* descend(folder, next, { path: `${path}/${next}`, walk })
  }
}

function* descend(
  folder: FolderHandle,
  name: string,
  { path, walk }: { path: string; walk: TreeWalk },
): Generator<TreeEntry | null> {
  let below: FolderHandle | null = null
  try {
    below = folder.open(name)
    yield* walkTree(below, path, walk)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).syscall === undefined) throw thrown
    walk.skip('unreadable')
  } finally {
    below?.close()
  }
}

function entryOf(
  { name, type }: FolderName,
  folder: FolderHandle,
  path: string,
  walk: TreeWalk,
): TreeEntry | null {
  if (isTemporaryName(name)) {
    walk.skip('hidden')
    return null
  }
  const entry: TreeEntry = { path: `${path}/${name}`, name, type, folder }
  if (type === 'directory' && walk.isLink(entry)) entry.type = 'link'
  return walk.accept(entry) ? entry : null
}

/** Tells folders that are the roots of other mounts. */
export function isMountBelow(mount: OpenMount): TreeWalk['isLink'] {
  if (mount.nested.length === 0) return () => false
  return (entry) => {
    const stats = statsOf(entry)
    return stats !== null && isNestedMount(mount, stats)
  }
}

/** Puts a text in its place in an ordered list; nearly always that is the end. */
function insert(ordered: string[], text: string): void {
  let at = ordered.length
  while (at > 0 && (ordered[at - 1] ?? '') > text) at -= 1
  ordered.splice(at, 0, text)
}

/** What the operating system says about an entry; null when it went away. */
export function statsOf({ folder, name }: Pick<TreeEntry, 'folder' | 'name'>): Stats | null {
  try {
    return lstatSync(folder.entry(name))
  } catch {
    return null
  }
}
