import type { EffectiveRule, PolicyWarning, SandboxMountInfo } from '@kgent/contracts'
import type { CompiledRule } from './compile-rule.ts'
import type { KnownTool, PolicyLayers } from './layers.ts'
import { mayLieIn } from './may-lie-in.ts'
import { compileNames, matchesName } from './name-matcher.ts'
import { nearestName } from './nearest-name.ts'
import type { PolicyProblem } from './validate-rules.ts'

/** What rules say about things that are not there: stops the start where a rule can never match, else a remark. */
export interface TargetReport {
  problems: PolicyProblem[]
  warnings: PolicyWarning[]
}

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
      checkConditionsFit(rule.rule),
    ])
  return {
    problems: reports.flatMap(({ problems }) => problems),
    warnings: reports.flatMap(({ warnings }) => warnings),
  }
}

/** A rule that a person wrote as a rule has a place with an index. */
function isWritten({ rule }: CompiledRule): boolean {
  return rule.source.includes('.rules[')
}

function checkTools({ tools = [], source }: EffectiveRule, known: readonly KnownTool[]): TargetReport {
  const names = known.map(({ name }) => name)
  const problems = tools.flatMap((tool, index) => {
    const matcher = compileNames([tool])
    if (names.some((name) => matchesName(matcher, name))) return []
    return [
      { place: `${source}.tools[${index}]`, message: `there is no tool ${tool}${suggestion(tool, names)}` },
    ]
  })
  return { problems, warnings: [] }
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

const FILES = ['filesystemRead', 'filesystemWrite', 'filesystemDelete']

/** Calls ask for a file with a path and for memory with a scope; a condition on the other one is a slip. */
function checkConditionsFit({ permission, paths, scopes, source }: EffectiveRule): TargetReport {
  const warnings: PolicyWarning[] = []
  if (paths && permission === 'memoryWrite') {
    warnings.push({
      place: `${source}.paths`,
      message: 'memory is asked for by scope, not by path, so the rule will not match',
    })
  }
  if (scopes && FILES.includes(permission)) {
    warnings.push({
      place: `${source}.scopes`,
      message: 'files are asked for by path, not by scope, so the rule will not match',
    })
  }
  return { problems: [], warnings }
}
