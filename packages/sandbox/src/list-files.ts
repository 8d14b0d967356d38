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
import { compileGlob } from './glob.ts'
import type { SandboxLimits } from './limits.ts'
import type { Location } from './locate.ts'
import { type TreeEntry, walkTree } from './walk-tree.ts'

export interface ListRequest {
  options: ListOptions
  limits: SandboxLimits
  check: AccessCheck | null
  /** Where the link at a path leads inside the sandbox; null when it leads out or nowhere. */
  targetOf: (path: string) => string | null
}

/** Lists a located folder in order of path and stops at the limit. What a rule hides is left out and counted. */
export function listLocated(location: Location, request: ListRequest): Outcome<FileList> {
  if (location.kind !== 'directory')
    return fail('not_a_directory', `${location.path} is a file, not a folder.`, { hint: 'Use read_file.' })
  const { options, limits, check } = request
  const { limit = limits.maxListEntries, recursive = false } = options
  if (!Number.isSafeInteger(limit) || limit < 1)
    return fail('invalid_input', 'limit must be a whole number of 1 or more.')
  const matches = compileGlob(options.glob, location.path)
  if (!matches.ok) return matches
  const bound = Math.min(limit, limits.maxListEntries)
  const leftOut: SkipCounts = {}
  const skip = (reason: keyof SkipCounts) => {
    leftOut[reason] = (leftOut[reason] ?? 0) + 1
  }
  const entries: ListEntry[] = []
  let truncated = false
  const denied = (path: string) => check !== null && check('filesystemRead', path) !== null
  for (const entry of walkTree(location.folder, location.path, {
    recursive,
    enter: (path) => !denied(path),
    skip,
  })) {
    if (options.signal?.aborted) return fail('aborted', 'The listing was cancelled.')
    if (denied(entry.path)) {
      skip('denied')
      continue
    }
    if (!matches.value(entry.path)) continue
    if (entries.length >= bound) {
      truncated = true
      break
    }
    entries.push(describe(entry, request))
  }
  return succeed({ path: location.path, entries, truncated, leftOut })
}

function describe({ path, stats }: TreeEntry, { targetOf }: ListRequest): ListEntry {
  const type = stats.isFile()
    ? 'file'
    : stats.isDirectory()
      ? 'directory'
      : stats.isSymbolicLink()
        ? 'link'
        : 'other'
  return {
    path,
    type,
    ...(type === 'link' && { target: targetOf(path) }),
    bytes: type === 'file' ? stats.size : null,
    modifiedAt: stats.mtime.toISOString(),
  }
}
