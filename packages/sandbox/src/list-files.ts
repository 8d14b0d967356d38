import {
  type AccessCheck,
  type FileList,
  fail,
  type ListEntry,
  type ListOptions,
  type Outcome,
  type SkipCounts,
  succeed,
} from '@kgent/contracts'
import { typeOf } from './folder-names.ts'
import { compileGlob } from './glob.ts'
import type { SandboxLimits } from './limits.ts'
import type { Location } from './locate.ts'
import { createTurns } from './turns.ts'
import { isMountBelow, statsOf, type TreeEntry, walkTree } from './walk-tree.ts'

export interface ListRequest {
  options: ListOptions
  limits: SandboxLimits
  check: AccessCheck | null
  /** Where the link at a path leads inside the sandbox; null when it leads out or nowhere. */
  targetOf: (path: string) => string | null
}

/** Lists a located folder in order of path and stops at the limit. What a rule hides is left out and counted. */
export async function listLocated(location: Location, request: ListRequest): Promise<Outcome<FileList>> {
  if (location.kind !== 'directory')
    return fail('not_a_directory', `${location.path} is a file, not a folder.`, { hint: 'Use read_file.' })
  const { options, limits, check, targetOf } = request
  const { limit = limits.maxListEntries, recursive = false, signal } = options
  if (!Number.isSafeInteger(limit) || limit < 1)
    return fail('invalid_input', 'limit must be a whole number of 1 or more.')
  const matches = compileGlob(options.glob, location.path)
  if (!matches.ok) return matches
  const list = new ListResult(Math.min(limit, limits.maxListEntries))
  const accept = ({ path }: TreeEntry) => {
    const isDenied = check !== null && check('filesystemRead', path) !== null
    if (isDenied) list.skip('denied')
    return !isDenied
  }
  const turns = createTurns({ signal })
  const isLink = isMountBelow(location.mount)
  const skip = (reason: keyof SkipCounts) => list.skip(reason)
  for (const entry of walkTree(location.folder, location.path, { recursive, accept, skip, isLink })) {
    if (turns.isDue() && (await turns.next()) === 'aborted')
      return fail('aborted', 'The listing was cancelled.')
    if (entry !== null && matches.value(entry.path)) list.add(entry, targetOf)
    if (list.truncated) break
  }
  const { entries, truncated, leftOut } = list
  return succeed({ path: location.path, entries, truncated, leftOut })
}

class ListResult {
  readonly entries: ListEntry[] = []
  readonly leftOut: SkipCounts = {}
  truncated = false
  readonly #bound: number

  constructor(bound: number) {
    this.#bound = bound
  }

  skip(reason: keyof SkipCounts): void {
    this.leftOut[reason] = (this.leftOut[reason] ?? 0) + 1
  }

  add(entry: TreeEntry, targetOf: ListRequest['targetOf']): void {
    if (this.entries.length >= this.#bound) this.truncated = true
    else {
      const described = describe(entry, targetOf)
      if (described) this.entries.push(described)
      else this.skip('unreadable')
    }
  }
}

function describe(entry: TreeEntry, targetOf: ListRequest['targetOf']): ListEntry | null {
  const stats = statsOf(entry)
  if (!stats) return null
  const type = entry.type === 'link' ? 'link' : typeOf(stats)
  return {
    path: entry.path,
    type,
    ...(type === 'link' && { target: targetOf(entry.path) }),
    bytes: type === 'file' ? stats.size : null,
    modifiedAt: stats.mtime.toISOString(),
  }
}
