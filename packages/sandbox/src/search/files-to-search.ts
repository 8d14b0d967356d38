import type { AccessCheck, SkipCounts } from '@kgent/contracts'
import type { Location } from '../locate.ts'
import { isMountBelow, type TreeEntry, walkTree } from '../walk-tree.ts'

export interface FileFilter {
  check: AccessCheck | null
  matches(path: string): boolean
  skip(reason: keyof SkipCounts): void
}

/** The files that a search looks into, in order of path; what is left out is told to the filter. */
export function* filesToSearch(
  { kind, name, folder, path, mount }: Location,
  { check, matches, skip }: FileFilter,
): Generator<Pick<TreeEntry, 'path' | 'name' | 'folder'> | null> {
  if (kind !== 'directory') {
    if (name !== null) yield { path, name, folder }
    return
  }
  const accept = (entry: TreeEntry) => {
    const isDenied = check !== null && check('filesystemRead', entry.path) !== null
    if (isDenied) skip('denied')
    return !isDenied
  }
  const isLink = isMountBelow(mount)
  for (const entry of walkTree(folder, path, { recursive: true, accept, skip, isLink })) {
    if (entry === null) yield null
    else if (entry.type === 'link') {
      if (matches(entry.path)) skip('link')
    } else if (entry.type !== 'directory' && matches(entry.path)) {
      if (entry.type === 'file') yield entry
      else skip('special')
    }
  }
}
