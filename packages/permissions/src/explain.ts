import type {
  EffectivePermissionPolicy,
  EffectiveRule,
  PermissionDecision,
  PermissionEffect,
  ResolvedPermissionRequest,
} from '@kgent/contracts'
import { conditionsHold } from './compile-rule.ts'
import { type CompiledPolicy, compiledFormOf, rulesAbout } from './compiled-policy.ts'
import { isRuntimeDeny } from './decide.ts'
import { malformation, pathConstraint } from './request-constraints.ts'
import { subjectOf } from './subject.ts'

/** Why a request is decided as it is. */
export interface Explanation {
  /** What `policy.check` answers. */
  readonly decision: PermissionDecision
  /** Every rule that matches, the weightiest first. */
  readonly matching: readonly EffectiveRule[]
  /** The rule that decided; null where nobody had said anything. */
  readonly deciding: EffectiveRule | null
  /** One sentence for a person, with the place of the rule. */
  readonly sentence: string
}

/** Explains the decision on any request without running anything. */
export function explain(policy: EffectivePermissionPolicy, request: ResolvedPermissionRequest): Explanation {
  const decision = policy.check(request)
  const compiled = compiledFormOf(policy)
  const matching = compiled && malformation(request) === null ? matchingRules(compiled, request) : []
  const deciding = matching.find(({ id }) => id === decision.rule) ?? null
  return { decision, matching, deciding, sentence: sentenceOf(decision, { request, deciding, matching }) }
}

function matchingRules(compiled: CompiledPolicy, request: ResolvedPermissionRequest): EffectiveRule[] {
  const subject = subjectOf(request)
  const rules = rulesAbout(compiled, request.permission)
    .all.filter((rule) => conditionsHold(rule, subject))
    .map(({ rule }) => rule)
  const constraint = pathConstraint(compiled.mounts, subject)
  if (!constraint) return rules
  return [...rules.filter(isRuntimeDeny), constraint, ...rules.filter((rule) => !isRuntimeDeny(rule))]
}

const WORDS: Readonly<Record<PermissionEffect, string>> = {
  allow: 'is allowed',
  ask: 'needs a person’s approval',
  deny: 'is denied',
}

interface Context {
  request: ResolvedPermissionRequest
  deciding: EffectiveRule | null
  matching: readonly EffectiveRule[]
}

function sentenceOf(decision: PermissionDecision, { request, deciding, matching }: Context): string {
  const about = decision.resource === null ? '' : ` on ${decision.resource}`
  const head = `${decision.permission}${about} for ${request?.tool ?? 'no tool'} ${WORDS[decision.decision]}`
  const others = deciding === matching[0] ? matching.length - 1 : 0
  const tail =
    others > 0 ? ` ${others} other matching ${others === 1 ? 'rule weighs' : 'rules weigh'} less.` : ''
  return `${head}${placeOf(decision, deciding)}: ${decision.reason}${tail}`
}

function placeOf({ layer, rule }: PermissionDecision, deciding: EffectiveRule | null): string {
  if (rule === null) return ' by default'
  const place = deciding && deciding.source !== rule ? ` at ${deciding.source}` : ''
  return ` by ${layer} rule ${rule}${place}`
}
