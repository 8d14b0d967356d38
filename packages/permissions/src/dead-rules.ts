import type { EffectivePermissionPolicy, EffectiveRule } from '@kgent/contracts'
import { type CompiledRule, compileRule } from './compile-rule.ts'
import { compiledFormOf } from './compiled-policy.ts'
import { shadowOf } from './reach.ts'
import { RUNTIME_DEFAULT } from './runtime-defaults.ts'

/** A rule that decides nothing, and the stricter one that decides wherever it holds. */
export interface DeadRule {
  readonly rule: EffectiveRule
  readonly shadowedBy: EffectiveRule
}

/** Written allow and ask rules that never decide anything, as far as can be seen from one stricter rule at a time. */
export function findDeadRules(policy: EffectivePermissionPolicy): DeadRule[] {
  return deadRulesAmong(compiledFormOf(policy)?.rules ?? policy.rules.map(compileRule), policy.mode)
}

export function deadRulesAmong(rules: readonly CompiledRule[], mode: 'enforce' | 'observe'): DeadRule[] {
  return rules.filter(isWrittenGiver).flatMap((giver) => {
    const able = rules.filter(
      ({ rule }) => speaksOf(rule, giver.rule) && decidesBefore(rule, giver.rule, mode),
    )
    const shadow = shadowOf(giver, able)
    return shadow ? [{ rule: giver.rule, shadowedBy: shadow.rule }] : []
  })
}

function isWrittenGiver({ rule }: CompiledRule): boolean {
  return rule.effect !== 'deny' && rule.source !== RUNTIME_DEFAULT
}

function speaksOf(rule: EffectiveRule, other: EffectiveRule): boolean {
  return rule.permission === '*' || rule.permission === other.permission
}

/** In observe mode a config rule gives way to an `ask` of the host program. */
function decidesBefore(rule: EffectiveRule, other: EffectiveRule, mode: 'enforce' | 'observe'): boolean {
  return mode === 'enforce' || rule.layer !== 'config' || other.layer !== 'runtime' || other.effect !== 'ask'
}
