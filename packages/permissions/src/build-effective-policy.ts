import {
  BASE_PERMISSIONS,
  type BasePermission,
  type EffectivePermissionPolicy,
  KgentError,
  type PolicyWarning,
} from '@kgent/contracts'
import { checkPermissionNames } from './check-permission-names.ts'
import { checkRuleTargets } from './check-rule-targets.ts'
import { collectRules } from './collect-rules.ts'
import { type CompiledRule, compileRules } from './compile-rule.ts'
import { type CompiledPolicy, compilePolicy, sealPolicy } from './compiled-policy.ts'
import { deadRulesAmong } from './dead-rules.ts'
import { decide } from './decide.ts'
import { distinctRules } from './distinct-rules.ts'
import type { PolicyLayers } from './layers.ts'
import { nestedMountWarnings } from './nested-mounts.ts'
import { canRun } from './reach.ts'
import { compareText, inDecidingOrder } from './rule-order.ts'
import { joinReports } from './target-report.ts'
import { validateLayers } from './validate-layers.ts'
import type { PolicyProblem } from './validate-rules.ts'
import { wishesOf } from './wishes.ts'

/**
 * Merges runtime, config, skill and sandbox layers into the one frozen policy of a run. Merging is an operation on sets:
 * the order of layers, rules and keys decides nothing.
 *
 * **Throws:** `KgentError` (`rule_invalid`) that names the place of the first problem, with all of them in `details`.
 */
export function buildEffectivePolicy(layers: PolicyLayers = {}): EffectivePermissionPolicy {
  const { problems, rules, warnings } = mergeLayers(layers)
  if (problems.length > 0) throw invalidPolicy(problems)
  const { skills = [], sandbox, config } = layers
  const mode = config?.mode ?? 'enforce'
  const mounts = sandbox?.mounts.map(({ name, mode, ignoresCase }) => ({ name, mode, ignoresCase })) ?? null
  const compiled = compilePolicy({ mode, mounts, rules, skills })
  const policy: EffectivePermissionPolicy = {
    ...switchesOf(compiled),
    mode,
    rules: Object.freeze(rules.map(({ rule }) => rule)),
    wishes: Object.freeze(wishesOf(compiled, skills)),
    warnings: Object.freeze(
      sorted([...warnings, ...deadRuleWarnings(compiled)]).map((warning) => Object.freeze(warning)),
    ),
    check: (request) => decide(compiled, request),
  }
  return sealPolicy(policy, compiled)
}

/** Everything that would stop `buildEffectivePolicy`, not only the first; empty when the policy can be built. */
export function findPolicyProblems(layers: PolicyLayers): PolicyProblem[] {
  return mergeLayers(layers).problems
}

interface MergedLayers {
  problems: PolicyProblem[]
  /** In deciding order. */
  rules: CompiledRule[]
  warnings: PolicyWarning[]
}

function mergeLayers(layers: PolicyLayers): MergedLayers {
  const invalid = validateLayers(layers)
  if (invalid.length > 0) return { problems: invalid, rules: [], warnings: [] }
  const distinct = distinctRules(collectRules(layers))
  const rules = compileRules(inDecidingOrder(distinct.rules))
  const targets = joinReports([
    checkRuleTargets(rules, layers),
    checkPermissionNames(distinct.rules, layers.tools),
  ])
  const warnings = [...targets.warnings, ...nestedMountWarnings(layers.sandbox?.mounts ?? [])]
  return { problems: [...distinct.problems, ...targets.problems], rules, warnings }
}

function invalidPolicy(problems: readonly PolicyProblem[]): KgentError {
  const [first] = problems as [PolicyProblem]
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  const end = first.message.endsWith('?') ? '' : '.'
  return new KgentError('rule_invalid', `${first.place}: ${first.message}${end}${more}`, {
    details: { problems: problems.map(({ place, message }) => ({ place, message })) },
  })
}

function switchesOf(compiled: CompiledPolicy): Record<BasePermission, boolean> {
  const entries = BASE_PERMISSIONS.map((permission) => [permission, canRun(compiled, permission)] as const)
  return Object.fromEntries(entries) as Record<BasePermission, boolean>
}

function deadRuleWarnings({ rules, mode }: CompiledPolicy): PolicyWarning[] {
  return deadRulesAmong(rules, mode).map(({ rule, shadowedBy }) => ({
    place: rule.source,
    message: `has no effect: ${shadowedBy.layer} rule ${shadowedBy.id} (${shadowedBy.effect}) decides wherever it holds`,
  }))
}

function sorted(warnings: readonly PolicyWarning[]): PolicyWarning[] {
  return [...warnings].sort((a, b) => compareText(a.place, b.place) || compareText(a.message, b.message))
}
