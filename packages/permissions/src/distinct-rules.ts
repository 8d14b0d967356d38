import type { EffectiveRule } from '@kgent/contracts'
import { compareText, ruleContent } from './rule-order.ts'
import type { PolicyProblem } from './validate-rules.ts'

/** One rule for each id. The same rule said twice is one rule; two rules under one id are a problem. */
export function distinctRules(rules: readonly EffectiveRule[]): {
  rules: EffectiveRule[]
  problems: PolicyProblem[]
} {
  const byId = new Map<string, EffectiveRule>()
  const problems: PolicyProblem[] = []
  for (const rule of [...rules].sort((a, b) => compareText(a.source, b.source))) {
    const first = byId.get(rule.id)
    if (first === undefined) byId.set(rule.id, rule)
    else if (ruleContent(first) !== ruleContent(rule)) {
      problems.push({
        place: `${rule.source}.id`,
        message: `${rule.id} is already the id of another rule, ${first.source}; give each rule its own`,
      })
    }
  }
  return { rules: [...byId.values()], problems }
}
