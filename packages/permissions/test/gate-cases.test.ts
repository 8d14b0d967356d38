import {
  buildEffectivePolicy,
  type PermissionDecision,
  type PermissionGate,
  type PermissionRule,
  type ResolvedPermissionRequest,
} from '@kgent/permissions'
import { type CreateGate, gateCases } from '@kgent/permissions/testing'
import { describe, expect, it } from 'vitest'

const own: CreateGate = ({ rules, fails }) => {
  if (!fails) return buildEffectivePolicy({ config: { rules } }).check
  return () => {
    throw new Error('the engine is not there')
  }
}

describe('the kit for other engines', () => {
  for (const { id, name, run } of gateCases(own))
    it(`holds for the gate of this package: ${name} (${id})`, run)

  it('leaves out what an engine declares that it cannot say', () => {
    const cases = gateCases(own, { ask: false, paths: false })
    expect(cases.filter(({ notApplicable }) => notApplicable !== null).map(({ id }) => id)).toEqual([
      'gate/ask/between',
      'gate/paths/deny',
      'gate/paths/allow',
      'gate/paths/ignore-case',
    ])
  })
})

type Change = (
  decision: PermissionDecision,
  request: ResolvedPermissionRequest,
  rules: readonly PermissionRule[],
) => unknown

/** The right gate with one thing wrong about its answers. */
function answering(change: Change): CreateGate {
  return (scenario) => {
    const gate = own(scenario) as PermissionGate
    return ((request) => change(gate(request), request, scenario.rules)) as PermissionGate
  }
}

/** The right gate for other rules or another request than were given. */
function hearing(rule: (rule: PermissionRule) => PermissionRule | null): CreateGate {
  return ({ rules, fails }) => own({ rules: rules.flatMap((one) => rule(one) ?? []), fails })
}

const without = (key: keyof PermissionRule) => hearing(({ [key]: _left, ...rule }) => rule as PermissionRule)
const deciding = (decision: PermissionDecision['decision']) =>
  answering((answer) => ({ ...answer, decision }))
const remembered = new Set<string>()

const BROKEN: Record<string, CreateGate> = {
  'allows everything': deciding('allow'),
  'denies everything': deciding('deny'),
  'allows what nobody spoke about': answering((answer) =>
    answer.layer === 'default' ? { ...answer, decision: 'allow' } : answer,
  ),
  'looks names up in an object': answering((answer, { permission }) =>
    permission in {} ? { ...answer, decision: 'allow' } : answer,
  ),
  'compares permissions without case': (scenario) => {
    const gate = own(scenario) as PermissionGate
    return (request) => ({
      ...gate({ ...request, permission: request.permission.toLowerCase() }),
      permission: request.permission,
    })
  },
  'lets the last rule win': ({ rules, fails }) => own({ rules: rules.slice(-1), fails }),
  'lets the first rule win': ({ rules, fails }) => own({ rules: rules.slice(0, 1), fails }),
  'takes asking for allowing': hearing((rule) =>
    rule.effect === 'ask' ? { ...rule, effect: 'allow' } : rule,
  ),
  'does not know * ': hearing((rule) => (rule.permission === '*' ? null : rule)),
  'allows when it fails': ({ rules }) => own({ rules, fails: false }),
  'ignores paths': without('paths'),
  'ignores tools': without('tools'),
  'ignores scopes': without('scopes'),
  'compares paths by prefix': hearing((rule) => ({
    ...rule,
    ...(rule.paths && { paths: rule.paths.map((path) => `${path}*`) }),
  })),
  'covers only the folder itself': hearing((rule) => ({
    ...rule,
    ...(rule.paths && { paths: rule.paths.map((path) => `${path.slice(0, -1)}?`) }),
  })),
  'stops at line breaks': answering((answer, { path }) =>
    path?.includes('\n') ? { ...answer, decision: 'allow' } : answer,
  ),
  'minds case where the disk does not': (scenario) => {
    const gate = own(scenario) as PermissionGate
    return ({ ignoreCase: _ignored, ...request }) => gate(request)
  },
  'allows without case': answering((answer, { path, ignoreCase }, rules) =>
    ignoreCase && rules.every(({ effect }) => effect === 'allow') && path !== undefined
      ? { ...answer, decision: 'allow' }
      : answer,
  ),
  'gives no reason when it allows': answering((answer) => ({
    ...answer,
    reason: answer.decision === 'allow' ? '' : answer.reason,
  })),
  'answers later': answering(async (answer) => answer),
  'forgets the resource': answering((answer) => ({ ...answer, resource: null })),
  'invents layers': answering((answer) => ({ ...answer, layer: 'cedar' })),
  'leaves out who asked': answering(({ requestedBy: _left, ...answer }) => answer),
  'returns what is no data': answering((answer) => ({ ...answer, at: new Date(0) })),
  counts: (scenario) => {
    let count = 0
    const gate = own(scenario) as PermissionGate
    return (request) => {
      count += 1
      return { ...gate(request), reason: `question ${count}` }
    }
  },
  'writes into the request': answering((answer, request) => {
    request.tool = 'other'
    return answer
  }),
  'remembers for all gates': answering((answer, { permission }) => {
    if (answer.decision === 'allow') remembered.add(permission)
    return answer.layer === 'default' && remembered.has(permission)
      ? { ...answer, decision: 'allow' }
      : answer
  }),
}

async function failedCases(createGate: CreateGate): Promise<string[]> {
  remembered.clear()
  const failed: string[] = []
  for (const { id, run } of gateCases(createGate)) {
    await run().catch(() => failed.push(id))
  }
  return failed
}

describe('the kit itself', () => {
  it.each(Object.entries(BROKEN))('finds a gate that %s', async (_name, createGate) => {
    expect(await failedCases(createGate)).not.toEqual([])
  })

  it('has no case that finds nothing', async () => {
    const found = new Set((await Promise.all(Object.values(BROKEN).map(failedCases))).flat())
    expect(
      gateCases(own)
        .map(({ id }) => id)
        .filter((id) => !found.has(id)),
    ).toEqual([])
  })
})
