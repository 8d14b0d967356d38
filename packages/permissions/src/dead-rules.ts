import type { EffectivePermissionPolicy, EffectiveRule } from '@kgent/contracts'
import { type CompiledRule, compileRules } from './compile-rule.ts'
import { compiledFormOf } from './compiled-policy.ts'
import { conditionsCover } from './rule-covers.ts'
import { RUNTIME_DEFAULT } from './runtime-defaults.ts'

/** A rule that decides nothing, and the stricter one that decides wherever it holds. */
export interface DeadRule {
  readonly rule: EffectiveRule
  readonly shadowedBy: EffectiveRule
}

/** Written allow and ask rules that never decide anything, as far as can be seen from one stricter rule at a time. */
export function findDeadRules(policy: EffectivePermissionPolicy): DeadRule[] {
  return deadRulesAmong(compiledFormOf(policy)?.rules ?? compileRules(policy.rules), policy.mode)
}

export function deadRulesAmong(rules: readonly CompiledRule[], mode: 'enforce' | 'observe'): DeadRule[] {
  const stricter = {
    ask: rules.filter(({ rule }) => rule.effect === 'deny'),
    allow: rules.filter(({ rule }) => rule.effect !== 'allow'),
  }
  return rules.flatMap((giver) => {
    const { rule } = giver
    if (rule.effect === 'deny' || rule.source === RUNTIME_DEFAULT) return []
    const shadow = stricter[rule.effect].find(
      (other) =>
        speaksOf(other.rule, rule) && conditionsCover(other, giver) && decidesBefore(other.rule, rule, mode),
    )
    return shadow ? [{ rule, shadowedBy: shadow.rule }] : []
  })
}

function speaksOf(rule: EffectiveRule, other: EffectiveRule): boolean {
  return rule.permission === '*' || rule.permission === other.permission
}

/** In observe mode a config rule gives way to an `ask` of the host program. */
function decidesBefore(rule: EffectiveRule, other: EffectiveRule, mode: 'enforce' | 'observe'): boolean {
  return mode === 'enforce' || rule.layer !== 'config' || other.layer !== 'runtime' || other.effect !== 'ask'
}
