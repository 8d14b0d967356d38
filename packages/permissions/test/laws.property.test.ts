import {
  buildEffectivePolicy,
  type EffectivePermissionPolicy,
  explain,
  findDeadRules,
  type PermissionDecision,
  type PermissionRule,
  type PermissionWish,
  type ResolvedPermissionRequest,
} from '@kgent/permissions'
import { describe, it } from 'vitest'
import { check, decisionsOf, holds, same, withRule } from './arbitrary-policy.ts'
import { referenceDecision } from './reference-policy.ts'

describe('merging layers', () => {
  it('does not depend on the order of layers, rules, lists and keys', () => {
    check(({ layers, policy, requests }) => {
      const other = buildEffectivePolicy(turned(layers))
      for (const request of requests) same(essence(other, request), essence(policy, request))
      same(other.wishes.map(fate), policy.wishes.map(fate))
      same(
        [other.network, other.shell, other.filesystemWrite],
        [policy.network, policy.shell, policy.filesystemWrite],
      )
    })
  })

  it('is idempotent: building twice, with every rule said twice, changes no decision', () => {
    check(({ layers, requests }) => {
      const rules = withIds(layers.config?.rules)
      const once = { ...layers, config: { ...layers.config, rules } }
      const twice = { ...layers, config: { ...layers.config, rules: [...rules, ...rules] } }
      same(decisionsOf(twice, requests), decisionsOf(once, requests))
    })
  })

  it('gives the same policy after its data went through JSON', () => {
    check(({ layers, policy, requests, decisions }) => {
      const other = buildEffectivePolicy(JSON.parse(JSON.stringify(layers)))
      same(other, policy)
      same(
        requests.map((request) => other.check(request)),
        decisions,
      )
    })
  })

  it('allows no more after a deny is added, and is nowhere less strict', () => {
    check(({ layers, requests, decisions, added }) => {
      for (const [index, after] of decisionsOf(withRule(layers, added.deny), requests).entries()) {
        const before = decisions[index] as PermissionDecision
        holds(WEIGHT[after.decision] >= WEIGHT[before.decision], { before, after })
      }
    })
  })

  it('allows no more after an ask is added', () => {
    check(({ layers, requests, decisions, added }) => {
      for (const [index, after] of decisionsOf(withRule(layers, added.ask), requests).entries()) {
        holds(after.decision !== 'allow' || decisions[index]?.decision === 'allow', after)
      }
    })
  })

  it('decides the same without skills: no combination of requests allows anything', () => {
    check(({ layers, requests, decisions, added }) => {
      const skills = [...(layers.skills ?? []), ...added.skills]
      const asked = decisionsOf({ ...layers, skills }, requests)
      same(asked.map(withoutRequesters), decisions.map(withoutRequesters))
    })
  })
})

describe('deciding', () => {
  it('answers what the plainest reading of the specification answers', () => {
    check(({ layers, policy, requests, decisions }) => {
      for (const [index, request] of requests.entries()) {
        const { decision, layer } = decisions[index] as PermissionDecision
        const answer = decision === 'deny' ? `deny ${layer}` : decision
        same([answer, request], [referenceDecision(policy.rules, layers, request), request])
      }
    })
  })

  it('lets a runtime deny win over everything else', () => {
    check(({ layers, requests, decisions }) => {
      const alone = decisionsOf(layers.runtime ? { runtime: layers.runtime } : {}, requests)
      for (const [index, expected] of alone.entries()) {
        if (expected.layer !== 'runtime' || expected.decision !== 'deny') continue
        same({ ...decisions[index], requestedBy: [] }, expected)
      }
    })
  })

  it('lets sandbox constraints win over everything but a runtime deny', () => {
    check(({ layers, requests, decisions }) => {
      const modes = new Map(layers.sandbox?.mounts.map(({ name, mode }) => [name, mode]))
      for (const [index, { permission, path }] of requests.entries()) {
        if (path === undefined || !layers.sandbox) continue
        const mode = path.includes('..') ? undefined : modes.get(path.split('/')[0] as string)
        const isChange = permission === 'filesystemWrite' || permission === 'filesystemDelete'
        if (mode === 'rw' || (mode === 'ro' && !isChange)) continue
        const { decision, layer } = decisions[index] as PermissionDecision
        holds(decision === 'deny' && (layer === 'sandbox' || layer === 'runtime'), decisions[index])
      }
    })
  })

  it('is explained by the rules that match, in agreement with check', () => {
    check(({ policy, requests, decisions }) => {
      for (const [index, request] of requests.entries()) {
        const { decision, deciding, matching, sentence } = explain(policy, request)
        same(decision, decisions[index])
        same(deciding?.id ?? null, decision.rule)
        holds(sentence.includes(decision.reason), sentence)
        const verdict = decision.observed ?? decision.decision
        same(verdict, matching[0]?.effect ?? 'deny')
        if (decision.decision === verdict) same(deciding, matching[0] ?? null)
      }
    })
  })

  it('is never done by a rule that was reported as dead', () => {
    check(({ policy, requests, decisions }) => {
      const dead = new Set(findDeadRules(policy).map(({ rule }) => rule.id))
      for (const [index, { rule }] of decisions.entries()) {
        holds(rule === null || !dead.has(rule), { rule, request: requests[index] })
      }
    })
  })

  it('finds nothing allowed or asked where a boolean of the policy says no', () => {
    check(({ policy, requests, decisions }) => {
      const switches = policy as unknown as Record<string, unknown>
      for (const [index, { permission }] of requests.entries()) {
        if (switches[permission] === false) same(decisions[index]?.decision, 'deny')
      }
    })
  })

  it('finds nothing allowed or asked where a wish was not granted', () => {
    check(({ policy, requests, decisions }) => {
      if (policy.mode === 'observe') return
      const refused = new Set(
        policy.wishes.filter(({ granted }) => !granted).map(({ permission }) => permission),
      )
      for (const [index, { permission }] of requests.entries()) {
        if (refused.has(permission)) same(decisions[index]?.decision, 'deny')
      }
    })
  })
})

const WEIGHT = { allow: 0, ask: 1, deny: 2 }

/** The decision without what follows from where a rule stands: ids and reasons made from places. */
function essence(policy: EffectivePermissionPolicy, request: ResolvedPermissionRequest) {
  const { rule, reason: _reason, ...decision } = policy.check(request)
  const decided = policy.rules.find(({ id }) => id === rule)
  const lists = [decided?.paths, decided?.tools, decided?.scopes].map((list) => list?.toSorted())
  return [decision, decided?.permission, lists, decided?.reason]
}

/** The same data with every list and every object the other way round. */
function turned<T>(value: T): T {
  if (Array.isArray(value)) return value.map(turned).reverse() as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, turned(item)])
  return Object.fromEntries(entries.reverse()) as T
}

function fate({ permission, requestedBy, granted }: PermissionWish) {
  return [permission, requestedBy, granted]
}

function withIds(rules: readonly PermissionRule[] = []): PermissionRule[] {
  return rules.map((rule, index) => ({ ...rule, id: `rule-${index}` }))
}

function withoutRequesters(decision: PermissionDecision): PermissionDecision {
  return { ...decision, requestedBy: [] }
}
