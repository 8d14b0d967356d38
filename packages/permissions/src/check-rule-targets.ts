import type { EffectiveRule, SandboxMountInfo } from '@kgent/contracts'
import type { CompiledRule } from './compile-rule.ts'
import type { KnownTool, PolicyLayers } from './layers.ts'
import { mayLieIn } from './may-lie-in.ts'
import { compileNames, matchesName } from './name-matcher.ts'
import { nearestName } from './nearest-name.ts'
import { joinReports, type TargetReport } from './target-report.ts'
import type { PolicyProblem } from './validate-rules.ts'

const FILES = ['filesystemRead', 'filesystemWrite', 'filesystemDelete']

/** Compares the conditions of written rules with the tools and mounts that there are, where those are known. */
export function checkRuleTargets(
  rules: readonly CompiledRule[],
  { tools, sandbox }: PolicyLayers,
): TargetReport {
  const reports = rules
    .filter(isWritten)
    .flatMap((rule) => [
      ...(tools ? [checkTools(rule.rule, tools)] : []),
      ...(sandbox ? [checkPaths(rule, sandbox.mounts)] : []),
      checkConditionsFit(rule.rule, tools !== undefined),
    ])
  return joinReports(reports)
}

/** A rule that a person wrote as a rule has a place with an index. */
function isWritten({ rule }: CompiledRule): boolean {
  return rule.source.includes('.rules[')
}

function checkTools(
  { tools = [], permission, source }: EffectiveRule,
  known: readonly KnownTool[],
): TargetReport {
  const names = known.map(({ name }) => name)
  const problems = tools.flatMap((tool, index) => {
    const matcher = compileNames([tool])
    if (names.some((name) => matchesName(matcher, name))) return []
    return [
      { place: `${source}.tools[${index}]`, message: `there is no tool ${tool}${suggestion(tool, names)}` },
    ]
  })
  return { problems: [...problems, ...neverAsked({ tools, permission, source }, known)], warnings: [] }
}

/**
 * Tools that never ask for what the rule is about. Not for files: what a tool opens is decided whether it had said so
 * or not.
 */
function neverAsked(
  { tools = [], permission, source }: Pick<EffectiveRule, 'tools' | 'permission' | 'source'>,
  known: readonly KnownTool[],
): PolicyProblem[] {
  if (permission === '*' || FILES.includes(permission)) return []
  const matcher = compileNames(tools)
  const named = known.filter(({ name }) => matchesName(matcher, name))
  const mayAsk = ({ permissions }: KnownTool) => !permissions || permissions.includes(permission)
  if (named.length === 0 || named.some(mayAsk)) return []
  const names = named.map(({ name }) => name).join(', ')
  return [
    { place: `${source}.tools`, message: `${names} never asks for ${permission}, so the rule never matches` },
  ]
}

function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest ? `; did you mean ${nearest}?` : `; the tools are ${known.join(', ') || 'none'}`
}

function checkPaths({ rule, paths }: CompiledRule, mounts: readonly SandboxMountInfo[]): TargetReport {
  const { paths: texts = [], source } = rule
  const outside = texts.flatMap((text, index) => {
    const isInside = paths?.written[index]?.some((glob) => mounts.some(({ name }) => mayLieIn(glob, name)))
    return isInside ? [] : [{ place: `${source}.paths[${index}]`, message: outsideMessage(text, mounts) }]
  })
  const isDead = outside.length > 0 && outside.length === texts.length
  return isDead ? { problems: outside, warnings: [] } : { problems: [], warnings: outside }
}

function outsideMessage(path: string, mounts: readonly SandboxMountInfo[]): string {
  const names = mounts.map(({ name }) => name)
  const hint = names.includes('workspace') ? `; for a path of the workspace write workspace/${path}` : ''
  return `${path} is in no mount, so it never matches; the mounts are ${names.join(', ') || 'none'}${hint}`
}

/**
 * Calls ask for a file with a path and for memory with a scope; a condition on the other one is a slip. Where the tools are
 * known nothing else asks, so the rule never matches; a gate that is used alone may be asked anything.
 */
function checkConditionsFit(rule: EffectiveRule, areToolsKnown: boolean): TargetReport {
  const { permission, paths, scopes, source } = rule
  const slips: PolicyProblem[] = []
  if (paths && permission === 'memoryWrite') {
    const message = 'memory is asked for by scope, not by path, so the rule will not match'
    slips.push({ place: `${source}.paths`, message })
  }
  if (scopes && FILES.includes(permission)) {
    const message = 'files are asked for by path, not by scope, so the rule will not match'
    slips.push({ place: `${source}.scopes`, message })
  }
  return areToolsKnown ? { problems: slips, warnings: [] } : { problems: [], warnings: slips }
}
