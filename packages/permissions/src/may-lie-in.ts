import type { GlobPath, GlobSegment } from './parse-glob.ts'
import { compilePath, matchesPath } from './path-matcher.ts'

/** Whether a glob can match a mount, something in it, or a folder above it. */
export function mayLieIn(glob: GlobPath, mount: string): boolean {
  const names = mount.split('/')
  for (const [index, segment] of glob.entries()) {
    const name = names[index]
    if (segment.kind === 'folders' || name === undefined) return true
    if (!segmentMatches(segment, name)) return false
  }
  return true
}

function segmentMatches(segment: GlobSegment, name: string): boolean {
  return segment.kind === 'name' ? segment.name === name : matchesPath(compilePath([segment]), name)
}
