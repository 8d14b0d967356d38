import type {
  EffectiveRule,
  PermissionDecision,
  PermissionEffect,
  ResolvedPermissionRequest,
} from '@kgent/contracts'
import { type CompiledRule, conditionsHold } from './compile-rule.ts'
import { type CompiledPolicy, rulesAbout } from './compiled-policy.ts'
import { malformation, pathConstraint } from './request-constraints.ts'
import { candidateLists, type RuleIndex } from './rule-index.ts'
import { type Subject, subjectOf } from './subject.ts'

/** What the rules say, before the mode of the policy is looked at. `rule` is null where nobody said anything. */
interface Verdict {
  readonly rule: EffectiveRule | null
  readonly reason: string
}

/** The decision on one request. Pure; never throws; what cannot be decided is denied. */
export function decide(policy: CompiledPolicy, request: ResolvedPermissionRequest): PermissionDecision {
  const problem = malformation(request)
  if (problem !== null) return refusal(request, problem)
  const rules = rulesAbout(policy, request.permission)
  const subject = subjectOf(request)
  const verdict = verdictOf(policy, { rules, subject })
  if (policy.mode === 'observe') return observed(verdict, { policy, request, rules, subject })
  return decisionOf(verdict, policy, request)
}

interface Asked {
  readonly rules: RuleIndex
  readonly subject: Subject
}

function verdictOf(policy: CompiledPolicy, { rules, subject }: Asked): Verdict {
  const first = firstMatch(rules, subject)
  if (first && isRuntimeDeny(first.rule)) return first
  const constraint = pathConstraint(policy.mounts, subject)
  if (constraint) return { rule: constraint, reason: constraint.reason ?? '' }
  return first ?? { rule: null, reason: `Nobody has allowed ${subject.permission}.` }
}

function firstMatch(rules: RuleIndex, subject: Subject): CompiledRule | null {
  let first: CompiledRule | null = null
  for (const list of candidateLists(rules, subject)) {
    for (const rule of list) {
      if (first !== null && rule.rank > first.rank) break
      if (!conditionsHold(rule, subject)) continue
      first = rule
      break
    }
  }
  return first
}

export function isRuntimeDeny({ layer, effect }: EffectiveRule): boolean {
  return layer === 'runtime' && effect === 'deny'
}

function decisionOf(
  { rule, reason }: Verdict,
  policy: CompiledPolicy,
  request: ResolvedPermissionRequest,
): PermissionDecision {
  return {
    permission: request.permission,
    resource: request.path ?? request.scope ?? request.resource ?? null,
    decision: rule?.effect ?? 'deny',
    layer: rule?.layer ?? 'default',
    rule: rule?.id ?? null,
    reason,
    requestedBy: [...(policy.requesters.get(request.permission) ?? [])],
  }
}

interface Observation extends Asked {
  readonly policy: CompiledPolicy
  readonly request: ResolvedPermissionRequest
}

const WOULD_BE: Readonly<Record<PermissionEffect, string>> = {
  allow: 'allowed',
  ask: 'put to a person',
  deny: 'denied',
}

/** Lets pass what config and defaults would refuse, and says so. What the host program or the sandbox says still holds. */
function observed(verdict: Verdict, { policy, request, rules, subject }: Observation): PermissionDecision {
  const decision = decisionOf(verdict, policy, request)
  if (decision.decision === 'allow' || decision.layer === 'runtime' || decision.layer === 'sandbox')
    return decision
  const runtimeAsk = rules.all.find((rule) => isRuntimeAsk(rule) && conditionsHold(rule, subject))
  if (runtimeAsk) return { ...decisionOf(runtimeAsk, policy, request), observed: decision.decision }
  const reason = `Observe mode; it would be ${WOULD_BE[decision.decision]}: ${decision.reason}`
  return { ...decision, decision: 'allow', reason, observed: decision.decision }
}

function isRuntimeAsk({ rule }: CompiledRule): boolean {
  return rule.layer === 'runtime' && rule.effect === 'ask'
}

function refusal(request: unknown, reason: string): PermissionDecision {
  const permission = (request as Partial<ResolvedPermissionRequest> | null)?.permission
  return {
    permission: typeof permission === 'string' ? permission : '',
    resource: null,
    decision: 'deny',
    layer: 'default',
    rule: null,
    reason,
    requestedBy: [],
  }
}
