import { buildEffectivePolicy, type PermissionRule, withGate } from '@kgent/permissions'
import { gateCases } from '@kgent/permissions/testing'
import { describe, expect, it } from 'vitest'
import { cedarGate } from './examples/cedar-gate.ts'

const text = (value: string) => JSON.stringify(value)

/** The rules of the kit in Cedar's language. */
function toCedar({ effect, permission, paths, tools, scopes }: PermissionRule): string {
  const either = (tests: string[]) => `(${tests.join(' || ')})`
  const key = effect === 'deny' ? 'comparedPath' : 'path'
  const conditions = [
    ...(tools ? [either(tools.map((tool) => `principal == Tool::${text(tool)}`))] : []),
    ...(scopes
      ? [`context has scope && ${either(scopes.map((scope) => `context.scope == ${text(scope)}`))}`]
      : []),
    ...(paths
      ? [
          `context has path && ${either(paths.map((path) => `context.${key} == ${text(path)} || context.${key} like ${text(`${path}/*`)}`))}`,
        ]
      : []),
  ]
  const action = permission === '*' ? 'action' : `action == Action::${text(permission)}`
  const when = conditions.length > 0 ? ` when { ${conditions.join(' && ')} }` : ''
  return `${effect === 'deny' ? 'forbid' : 'permit'}(principal, ${action}, resource)${when};`
}

const FAILING = 'forbid(principal, action, resource) when { context.nothing == 1 };'

describe('Cedar behind the gate', () => {
  const cases = gateCases(
    ({ rules, fails }) => {
      const policies = rules.map((rule, index) => [`rule-${index}`, toCedar(rule)] as const)
      return cedarGate(Object.fromEntries(fails ? [...policies, ['failing', FAILING]] : policies))
    },
    { ask: false },
  )
  for (const { id, name, notApplicable, run } of cases) it.skipIf(notApplicable)(`${name} (${id})`, run)

  it('takes away what the policy allows, and names its own policy', () => {
    const policy = withGate(
      buildEffectivePolicy(),
      cedarGate({
        reading: 'permit(principal, action == Action::"filesystemRead", resource);',
        'no-keys':
          'forbid(principal, action, resource) when { context has path && context.path like "inputs/keys/*" };',
      }),
    )
    const read = (path: string) => policy.check({ permission: 'filesystemRead', tool: 'read_file', path })
    expect(read('inputs/a')).toMatchObject({ decision: 'allow', layer: 'runtime' })
    expect(read('inputs/keys/a')).toMatchObject({ decision: 'deny', rule: 'no-keys' })
    expect(policy.check({ permission: 'memoryWrite', tool: 'write_memory' })).toMatchObject({
      decision: 'deny',
      reason: 'No Cedar policy permits it.',
    })
  })

  it('denies while a policy fails, and does not start with one that does not parse', () => {
    const policy = withGate(
      buildEffectivePolicy(),
      cedarGate({ all: 'permit(principal, action, resource);', FAILING }),
    )
    expect(policy.check({ permission: 'filesystemRead', tool: 't' })).toMatchObject({
      decision: 'deny',
      layer: 'default',
    })
    expect(() => cedarGate({ torn: 'permit(principal' })).toThrow('torn')
  })
})
