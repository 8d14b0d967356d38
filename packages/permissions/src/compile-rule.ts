import type { EffectiveRule, PermissionEffect } from '@kgent/contracts'
import { type GlobOutline, outlineOf } from './glob-outline.ts'
import { compileNames, matchesName, type NameMatcher } from './name-matcher.ts'
import { type GlobPath, parseGlob } from './parse-glob.ts'
import { compilePath, matchesPath, type PathMatcher } from './path-matcher.ts'
import type { PathSpelling } from './path-spelling.ts'
import type { Subject } from './subject.ts'

/** A rule that can be asked. Its conditions are null where it has none. */
export interface CompiledRule {
  readonly rule: EffectiveRule
  /** Position in deciding order. */
  readonly rank: number
  readonly reason: string
  readonly paths: PathCondition | null
  readonly tools: NameMatcher | null
  readonly scopes: NameMatcher | null
}

interface PathCondition {
  /** What each of the rule's paths stands for. */
  readonly written: readonly (readonly GlobPath[])[]
  readonly globs: readonly GlobPath[]
  readonly outlines: readonly GlobOutline[]
  readonly exact: readonly PathMatcher[]
  /** Compiled when first needed: most disks never do. */
  readonly looser: Map<PathSpelling, PathMatcher[]>
}

/** Compiles rules that are in deciding order. */
export function compileRules(rules: readonly EffectiveRule[]): CompiledRule[] {
  return rules.map((rule, rank) => ({
    rule,
    rank,
    reason: rule.reason ?? `Rule ${rule.id} ${SAYS[rule.effect]}.`,
    paths: rule.paths ? compilePaths(rule.paths) : null,
    tools: rule.tools ? compileNames(rule.tools) : null,
    scopes: rule.scopes ? compileNames(rule.scopes) : null,
  }))
}

const SAYS: Readonly<Record<PermissionEffect, string>> = {
  allow: 'allows it',
  ask: 'asks for a person’s approval',
  deny: 'denies it',
}

function compilePaths(texts: readonly string[]): PathCondition {
  const written = texts.map((text) => {
    const parsed = parseGlob(text)
    return parsed.ok ? parsed.alternatives : []
  })
  const globs = written.flat()
  return {
    written,
    globs,
    outlines: globs.map(outlineOf),
    exact: globs.map((glob) => compilePath(glob)),
    looser: new Map(),
  }
}

/** Whether every condition of a rule holds. Its permission is looked at by whoever chose the rule. */
export function conditionsHold(compiled: CompiledRule, subject: Subject): boolean {
  const { tools, scopes, paths } = compiled
  if (tools !== null && !matchesName(tools, subject.tool)) return false
  if (scopes !== null && (subject.scope === undefined || !matchesName(scopes, subject.scope))) return false
  return paths === null || pathHolds(paths, compiled.rule.effect, subject)
}

function pathHolds(paths: PathCondition, effect: PermissionEffect, { path, looser }: Subject): boolean {
  if (path === undefined) return false
  if (anyMatches(paths.exact, path)) return true
  return (
    effect !== 'allow' && looser !== null && anyMatches(looserMatchers(paths, looser.spelling), looser.path)
  )
}

function anyMatches(matchers: readonly PathMatcher[], path: string): boolean {
  for (const matcher of matchers) if (matchesPath(matcher, path)) return true
  return false
}

function looserMatchers({ globs, looser }: PathCondition, spelling: PathSpelling): readonly PathMatcher[] {
  const known = looser.get(spelling)
  if (known) return known
  const compiled = globs.map((glob) => compilePath(glob, spelling))
  looser.set(spelling, compiled)
  return compiled
}
