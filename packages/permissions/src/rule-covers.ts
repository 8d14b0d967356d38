import type { CompiledRule } from './compile-rule.ts'
import { matchesName, type NameMatcher } from './name-matcher.ts'
import type { GlobPath } from './parse-glob.ts'

/**
 * Whether the conditions of one rule hold wherever those of another do. Says yes only where it is certain: “no” may
 * mean “not seen”.
 */
export function conditionsCover(wide: CompiledRule, narrow: CompiledRule): boolean {
  return toolsCover(wide, narrow) && scopesCover(wide, narrow) && pathsCover(wide, narrow)
}

/** Whether a rule holds for every request about its permission. */
export function isUnconditional({ paths, tools, scopes }: CompiledRule): boolean {
  return paths === null && scopes === null && (tools === null || isEveryName(tools))
}

function toolsCover(wide: CompiledRule, narrow: CompiledRule): boolean {
  const { tools } = wide
  if (tools === null || isEveryName(tools)) return true
  const texts = narrow.rule.tools
  return texts?.every((text) => nameCovers(wide.rule.tools ?? [], tools, text)) ?? false
}

function scopesCover(wide: CompiledRule, narrow: CompiledRule): boolean {
  const { scopes } = wide
  if (scopes === null) return true
  const texts = narrow.rule.scopes
  return texts?.every((text) => nameCovers(wide.rule.scopes ?? [], scopes, text)) ?? false
}

function nameCovers(texts: readonly string[], matcher: NameMatcher, other: string): boolean {
  if (texts.includes(other) || isEveryName(matcher)) return true
  return !other.includes('*') && matchesName(matcher, other)
}

function isEveryName({ patterns }: NameMatcher): boolean {
  return patterns.some((parts) => parts.every((part) => part === ''))
}

function pathsCover(wide: CompiledRule, narrow: CompiledRule): boolean {
  if (wide.paths === null) return true
  const { globs } = wide.paths
  return narrow.paths?.globs.every((glob) => globs.some((other) => globCovers(other, glob))) ?? false
}

function globCovers(wide: GlobPath, narrow: GlobPath): boolean {
  return JSON.stringify(wide) === JSON.stringify(narrow) || folderCovers(wide, narrow)
}

/** `inputs` and `inputs/**` cover every glob that begins with the name `inputs`; `**` covers all. */
function folderCovers(wide: GlobPath, narrow: GlobPath): boolean {
  const folder = wide.at(-1)?.kind === 'folders' ? wide.slice(0, -1) : wide
  return folder.every((segment, index) => {
    const other = narrow[index]
    return segment.kind === 'name' && other?.kind === 'name' && segment.name === other.name
  })
}
