import type { GlobPath } from './parse-glob.ts'
import { globSource, namesAtStart } from './path-matcher.ts'

/** What of a glob is enough to see that another one covers it. */
export interface GlobOutline {
  /** The names that all its paths begin with, each with a slash after it. */
  readonly start: string
  /** Whether it stands for a folder and everything below. */
  readonly isFolder: boolean
  /** Equal for equal globs that are no folders. */
  readonly source: string
}

export function outlineOf(glob: GlobPath): GlobOutline {
  const names = namesAtStart(glob)
  const isFolder = glob.slice(names.length).every(({ kind }) => kind === 'folders')
  const start = names.map((name) => `${name}/`).join('')
  return { start, isFolder, source: isFolder ? '' : globSource(glob) }
}

/** Whether every path of the one is a path of the other, as far as the outlines show. */
export function outlineCovers(wide: GlobOutline, narrow: GlobOutline): boolean {
  return wide.isFolder ? narrow.start.startsWith(wide.start) : wide.source === narrow.source
}
