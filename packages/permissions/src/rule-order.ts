import type { EffectiveRule, PermissionEffect, PermissionLayer } from '@kgent/contracts'

/** Deny over ask over allow. */
export const EFFECT_WEIGHT: Readonly<Record<PermissionEffect, number>> = { deny: 2, ask: 1, allow: 0 }

const LAYER_WEIGHT: Readonly<Record<PermissionLayer, number>> = {
  runtime: 3,
  sandbox: 2,
  config: 1,
  skill: 0,
  default: 0,
}

/**
 * Sorts rules so that the first one that matches decides: effect, then layer, then content, then id. The order is total
 * and takes nothing from where a rule stands, so that no order of input matters.
 */
export function inDecidingOrder(rules: readonly EffectiveRule[]): EffectiveRule[] {
  return rules
    .map((rule) => ({ rule, content: ruleContent(rule) }))
    .sort(
      (a, b) =>
        EFFECT_WEIGHT[b.rule.effect] - EFFECT_WEIGHT[a.rule.effect] ||
        LAYER_WEIGHT[b.rule.layer] - LAYER_WEIGHT[a.rule.layer] ||
        compareText(a.content, b.content) ||
        compareText(a.rule.id, b.rule.id),
    )
    .map(({ rule }) => rule)
}

/** What a rule says, as one text: equal for rules that say the same. */
export function ruleContent(rule: EffectiveRule): string {
  const lists = [rule.paths, rule.tools, rule.scopes].map((list) => (list ? [...list].sort() : null))
  return JSON.stringify([rule.layer, rule.effect, rule.permission, ...lists, rule.reason ?? null])
}

export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
