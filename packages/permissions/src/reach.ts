import type { Permission } from '@kgent/contracts'
import type { CompiledRule } from './compile-rule.ts'
import { type CompiledPolicy, rulesAbout } from './compiled-policy.ts'
import { matchesName } from './name-matcher.ts'
import { conditionsCover, isUnconditional } from './rule-covers.ts'
import { EFFECT_WEIGHT } from './rule-order.ts'

/** Whether something can be had anywhere at all: the rule that gives it, or the one that takes it away everywhere. */
export interface Reach {
  readonly grant: CompiledRule | null
  readonly refusal: CompiledRule | null
}

/** What the rules leave of a permission, for one tool or for all. An `ask` rule gives it too: a person may say yes. */
export function reachOf(policy: CompiledPolicy, permission: Permission, tool?: string): Reach {
  const rules = rulesAbout(policy, permission).all.flatMap((rule) => narrowed(rule, tool))
  const givers = rules.filter(({ rule }) => rule.effect !== 'deny')
  const byGenerosity = [...givers.filter(isAllow), ...givers.filter((rule) => !isAllow(rule))]
  const grant = byGenerosity.find((giver) => shadowOf(giver, rules) === null) ?? null
  if (grant) return { grant, refusal: null }
  const shadow = byGenerosity[0] ? shadowOf(byGenerosity[0], rules) : null
  return { grant: null, refusal: shadow ?? rules.find(isUnconditionalDeny) ?? null }
}

/** Whether a call could be let run on this permission; in observe mode only the host and the sandbox stand in the way. */
export function canRun(policy: CompiledPolicy, permission: Permission, tool?: string): boolean {
  if (policy.mode === 'enforce') return reachOf(policy, permission, tool).grant !== null
  const rules = rulesAbout(policy, permission).all.flatMap((rule) => narrowed(rule, tool))
  return !rules.some((rule) => isUnconditionalDeny(rule) && rule.rule.layer !== 'config')
}

/** A stricter rule that holds wherever this one does, and so decides in its place. */
function shadowOf(giver: CompiledRule, rules: readonly CompiledRule[]): CompiledRule | null {
  const weight = EFFECT_WEIGHT[giver.rule.effect]
  return (
    rules.find((other) => EFFECT_WEIGHT[other.rule.effect] > weight && conditionsCover(other, giver)) ?? null
  )
}

/** The rule as it is for one tool: without its condition on tools, or not at all. */
function narrowed(rule: CompiledRule, tool: string | undefined): CompiledRule[] {
  if (tool === undefined || rule.tools === null) return [rule]
  return matchesName(rule.tools, tool) ? [{ ...rule, tools: null }] : []
}

function isAllow({ rule }: CompiledRule): boolean {
  return rule.effect === 'allow'
}

function isUnconditionalDeny(rule: CompiledRule): boolean {
  return rule.rule.effect === 'deny' && isUnconditional(rule)
}
