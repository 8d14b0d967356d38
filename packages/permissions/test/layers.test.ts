import {
  buildEffectivePolicy,
  checkPermission,
  type PolicyLayers,
  type SandboxMountInfo,
} from '@kgent/permissions'
import { describe, expect, it } from 'vitest'

const mounts: SandboxMountInfo[] = [
  { name: 'workspace', mode: 'rw', ignoresCase: false },
  { name: 'deliverables', mode: 'rw', ignoresCase: false },
  { name: 'inputs', mode: 'ro', ignoresCase: false },
  { name: 'skills/tidy', mode: 'ro', ignoresCase: false },
]
const sandbox = { mounts }
const write = (path: string, tool = 'write_file') => ({ permission: 'filesystemWrite', tool, path })
const read = (path: string, tool = 'read_file') => ({ permission: 'filesystemRead', tool, path })

describe('the layers of a policy', () => {
  it('runtime deny rules win', () => {
    const policy = buildEffectivePolicy({
      runtime: {
        deny: ['network'],
        rules: [
          { id: 'no-notes', effect: 'deny', permission: 'filesystemWrite', paths: ['workspace/notes'] },
        ],
      },
      config: { network: true, filesystemWrite: true, rules: [{ effect: 'allow', permission: '*' }] },
      skills: [{ id: 'tidy', permissions: ['network'] }],
      sandbox,
    })
    expect(policy.network).toBe(false)
    expect(policy.check({ permission: 'network', tool: 'fetch' })).toMatchObject({
      decision: 'deny',
      layer: 'runtime',
      rule: 'runtime.deny[0]',
      requestedBy: ['skill:tidy'],
    })
    expect(policy.check(write('workspace/notes/a.md'))).toMatchObject({
      decision: 'deny',
      layer: 'runtime',
      rule: 'no-notes',
    })
    expect(policy.check(write('workspace/other.md')).decision).toBe('allow')
  })

  it('sandbox constraints win', () => {
    const policy = buildEffectivePolicy({
      config: {
        rules: [
          { effect: 'allow', permission: '*' },
          { effect: 'allow', permission: 'filesystemWrite', paths: ['inputs/**'] },
        ],
      },
      skills: [{ id: 'tidy', permissions: ['filesystemWrite'] }],
      sandbox,
    })
    expect(policy.check(write('inputs/a.txt'))).toMatchObject({
      decision: 'deny',
      layer: 'sandbox',
      rule: 'sandbox.inputs.filesystemWrite',
    })
    expect(policy.check(write('inputs')).layer).toBe('sandbox')
    expect(policy.check(read('inputs/a.txt')).decision).toBe('allow')
    for (const path of [
      'elsewhere/a.txt',
      'inputs-b/a.txt',
      '',
      '.',
      '/inputs/a.txt',
      'inputs/../workspace/a',
      'inputs//a',
      'inputs/a/',
      'a\0b',
    ])
      expect(policy.check(read(path)), path).toMatchObject({ decision: 'deny', layer: 'sandbox' })
  })

  it('skill permissions cannot grant alone', () => {
    const skills = [
      { id: 'greedy', permissions: ['network', 'shell', 'crm.write', 'filesystemRead', 'filesystemDelete'] },
    ]
    const policy = buildEffectivePolicy({ skills, sandbox })
    const plain = buildEffectivePolicy({ sandbox })
    for (const permission of ['network', 'shell', 'crm.write', 'filesystemDelete']) {
      const request = { permission, tool: 'any' }
      expect(policy.check(request)).toEqual({ ...plain.check(request), requestedBy: ['skill:greedy'] })
      expect(policy.check(request).decision).toBe('deny')
    }
    expect(
      policy.wishes.map(({ permission, granted, grantedBy }) => [permission, granted, grantedBy]),
    ).toEqual([
      ['crm.write', false, null],
      ['filesystemDelete', false, null],
      ['filesystemRead', true, 'runtime rule runtime.filesystemRead'],
      ['network', false, null],
      ['shell', false, null],
    ])
    for (const { reason } of policy.wishes) expect(reason).toMatch(/\S.*\.$/)
  })

  it('merge rules are testable', () => {
    const layers: PolicyLayers = {
      config: { network: true, rules: [{ effect: 'ask', permission: 'network', tools: ['fetch'] }] },
    }
    const policy = buildEffectivePolicy(structuredClone(layers))
    expect(Object.isFrozen(policy)).toBe(true)
    expect(checkPermission(policy, { permission: 'network', tool: 'search' })).toEqual({
      allowed: true,
      reason: 'The configuration turns network on.',
      error: null,
    })
    expect(checkPermission(policy, { permission: 'network', tool: 'fetch' })).toMatchObject({
      allowed: false,
      error: {
        code: 'approval_required',
        retryable: false,
        details: { layer: 'config', rule: 'config.permissions.rules[0]' },
      },
    })
    expect(checkPermission(policy, { permission: 'shell', tool: 'sh' }).error).toMatchObject({
      code: 'permission_denied',
      details: { permission: 'shell', resource: null, layer: 'runtime', rule: 'runtime.shell' },
    })
  })

  it('decides the same in all orders of the layers, with the keys of every object turned round', () => {
    const layers: PolicyLayers = {
      runtime: { rules: [{ effect: 'allow', permission: '*', reason: 'Defaults.' }] },
      config: { rules: [{ id: 'no-writing', effect: 'deny', permission: '*', tools: ['write_file'] }] },
      skills: [{ id: 'tidy', permissions: ['filesystemWrite', 'filesystemRead'] }],
      sandbox,
    }
    for (const order of orders(Object.entries(layers))) {
      const policy = buildEffectivePolicy(
        Object.fromEntries(order.map(([key, value]) => [key, turned(value)])),
      )
      expect(policy.check(write('workspace/x.txt'))).toMatchObject({
        decision: 'deny',
        layer: 'config',
        rule: 'no-writing',
      })
      expect(policy.check(read('workspace/x.txt'))).toMatchObject({ decision: 'allow', layer: 'runtime' })
    }
  })
})

function orders<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}

function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, turned(item)]),
  )
}
