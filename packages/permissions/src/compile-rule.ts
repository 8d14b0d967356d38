import type { EffectiveRule, PermissionEffect, ResolvedPermissionRequest } from '@kgent/contracts'
import { compileNames, matchesName, type NameMatcher } from './name-matcher.ts'
import { type GlobPath, parseGlob } from './parse-glob.ts'
import { compilePath, matchesPath, type PathMatcher } from './path-matcher.ts'
import { looserSpelling, type PathSpelling, respell } from './path-spelling.ts'

/** A rule that can be asked. Its conditions are null where it has none. */
export interface CompiledRule {
  readonly rule: EffectiveRule
  readonly reason: string
  readonly paths: PathCondition | null
  readonly tools: NameMatcher | null
  readonly scopes: NameMatcher | null
}

interface PathCondition {
  readonly globs: readonly GlobPath[]
  readonly exact: readonly PathMatcher[]
  /** Compiled when first needed: most disks never do. */
  readonly looser: Map<PathSpelling, PathMatcher[]>
}

/** A request with what is worked out once for all rules. */
export interface Subject {
  readonly tool: string
  readonly path: string | undefined
  readonly scope: string | undefined
  /** How restrictions also compare the path, and its text for that. */
  readonly looser: { readonly spelling: PathSpelling; readonly path: string } | null
}

export function subjectOf({ tool, path, scope, ignoreCase }: ResolvedPermissionRequest): Subject {
  const spelling = path === undefined ? null : looserSpelling(path, ignoreCase === true)
  const looser = path === undefined || spelling === null ? null : { spelling, path: respell(path, spelling) }
  return { tool, path, scope, looser }
}

export function compileRule(rule: EffectiveRule): CompiledRule {
  return {
    rule,
    reason: rule.reason ?? `Rule ${rule.id} ${SAYS[rule.effect]}.`,
    paths: rule.paths ? compilePaths(rule.paths) : null,
    tools: rule.tools ? compileNames(rule.tools) : null,
    scopes: rule.scopes ? compileNames(rule.scopes) : null,
  }
}

const SAYS: Readonly<Record<PermissionEffect, string>> = {
  allow: 'allows it',
  ask: 'asks for a person’s approval',
  deny: 'denies it',
}

function compilePaths(texts: readonly string[]): PathCondition {
  const globs = texts.flatMap((text) => {
    const parsed = parseGlob(text)
    return parsed.ok ? parsed.alternatives : []
  })
  return { globs, exact: globs.map((glob) => compilePath(glob)), looser: new Map() }
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
