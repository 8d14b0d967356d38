import type { CompiledRule } from './compile-rule.ts'
import { outlineCovers } from './glob-outline.ts'
import { matchesName, type NameMatcher } from './name-matcher.ts'

/**
 * Whether the conditions of one rule hold wherever those of another do. Says yes only where it is certain: “no” may
 * mean “not seen”.
 */
export function conditionsCover(wide: CompiledRule, narrow: CompiledRule): boolean {
  return toolsCover(wide, narrow) && scopesCover(wide, narrow) && pathsCover(wide, narrow)
}

/** Whether a rule holds for every request about its permission. */
export function isUnconditional({ paths, tools, scopes }: CompiledRule): boolean {
  return paths === null && scopes === null && (tools === null || tools.isEveryName)
}

function toolsCover(wide: CompiledRule, narrow: CompiledRule): boolean {
  const { tools } = wide
  if (tools === null || tools.isEveryName) return true
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
  if (texts.includes(other) || matcher.isEveryName) return true
  return !other.includes('*') && matchesName(matcher, other)
}

function pathsCover({ paths: wide }: CompiledRule, { paths: narrow }: CompiledRule): boolean {
  if (wide === null) return true
  if (narrow === null) return false
  return narrow.outlines.every((outline) => wide.outlines.some((other) => outlineCovers(other, outline)))
}
