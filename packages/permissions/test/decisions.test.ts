import { buildEffectivePolicy, explain, type PermissionRule, type PolicyLayers } from '@kgent/permissions'
import { describe, expect, it } from 'vitest'

describe('a decision', () => {
  it('names layer, rule, reason and who had asked, allows included', () => {
    const { check } = buildEffectivePolicy({
      config: {
        rules: [{ effect: 'allow', permission: 'crm.read', tools: ['crm_*'], reason: 'Sales may look.' }],
      },
      skills: [
        { id: 'b', permissions: ['crm.read', 'crm.read'] },
        { id: 'a', permissions: ['crm.read'] },
      ],
    })
    expect(check({ permission: 'crm.read', tool: 'crm_get', resource: 'account 7' })).toEqual({
      permission: 'crm.read',
      resource: 'account 7',
      decision: 'allow',
      layer: 'config',
      rule: 'config.permissions.rules[0]',
      reason: 'Sales may look.',
      requestedBy: ['skill:a', 'skill:b'],
    })
    expect(check({ permission: 'crm.write', tool: 'crm_get' })).toMatchObject({
      decision: 'deny',
      layer: 'default',
      rule: null,
      reason: 'Nobody has allowed crm.write.',
    })
  })

  it('is the same in every order of deny, ask and allow, whatever their layers', () => {
    const rules: PermissionRule[] = [
      { effect: 'allow', permission: 'network' },
      { effect: 'ask', permission: 'network', tools: ['fetch'] },
      { effect: 'deny', permission: '*', tools: ['fetch'] },
    ]
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]
    for (const order of orders) {
      const sorted = order.map((index) => rules[index] as PermissionRule)
      for (const layers of [
        { config: { rules: sorted } },
        { runtime: { rules: sorted } },
      ] satisfies PolicyLayers[]) {
        const { check } = buildEffectivePolicy(layers)
        expect(check({ permission: 'network', tool: 'fetch' }).decision).toBe('deny')
        expect(check({ permission: 'network', tool: 'search' }).decision).toBe('allow')
      }
    }
  })

  it('does not change when the input is changed after building, nor can the policy be changed', () => {
    const rules = [{ effect: 'deny' as const, permission: 'filesystemRead', paths: ['inputs/a'] }]
    const mounts = [{ name: 'inputs', mode: 'ro' as 'ro' | 'rw', ignoresCase: false }]
    const policy = buildEffectivePolicy({ config: { rules }, sandbox: { mounts } })
    rules[0]?.paths.splice(0, 1, 'inputs/b')
    mounts.splice(0, 1)
    expect(policy.check({ permission: 'filesystemRead', tool: 't', path: 'inputs/a' }).layer).toBe('config')
    expect(policy.check({ permission: 'filesystemRead', tool: 't', path: 'inputs/b' }).decision).toBe('allow')
    const everything = [
      policy,
      policy.rules,
      policy.wishes,
      policy.warnings,
      ...policy.rules,
      ...policy.rules.map(({ paths }) => paths),
    ]
    expect(everything.every((part) => part === undefined || Object.isFrozen(part))).toBe(true)
  })

  it('treats names like constructor and __proto__ as names', () => {
    const { check } = buildEffectivePolicy({
      config: { rules: [{ effect: 'deny', permission: 'toString' }] },
    })
    for (const permission of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(check({ permission, tool: 'constructor' }).decision).toBe('deny')
    }
  })
})

describe('the defaults', () => {
  it('are reading, writing and proposing memories; network waits for the config, destruction for the host program', () => {
    const policy = buildEffectivePolicy()
    const { filesystemRead, filesystemWrite, memoryWrite, network, shell, filesystemDelete } = policy
    expect({ filesystemRead, filesystemWrite, memoryWrite }).toEqual({
      filesystemRead: true,
      filesystemWrite: true,
      memoryWrite: true,
    })
    expect({ network, shell, filesystemDelete }).toEqual({
      network: false,
      shell: false,
      filesystemDelete: false,
    })
    expect(buildEffectivePolicy({ config: { network: true } }).network).toBe(true)
    expect(
      buildEffectivePolicy({ config: { shell: true, rules: [{ effect: 'allow', permission: '*' }] } }).shell,
    ).toBe(false)
    const host = buildEffectivePolicy({ runtime: { allowDestructive: ['shell'] } })
    expect([host.shell, host.filesystemDelete]).toEqual([true, false])
    expect(
      buildEffectivePolicy({ runtime: { allowDestructive: ['shell'] }, config: { shell: false } }).shell,
    ).toBe(false)
  })

  it('make a boolean true when the permission can be had somewhere, after asking or only for one tool too', () => {
    const shell = (layers: PolicyLayers) => buildEffectivePolicy(layers).network
    expect(shell({ config: { rules: [{ effect: 'ask', permission: 'network' }] } })).toBe(true)
    expect(shell({ config: { rules: [{ effect: 'allow', permission: 'network', tools: ['fetch'] }] } })).toBe(
      true,
    )
    expect(
      shell({
        config: { network: true, rules: [{ effect: 'deny', permission: 'network', tools: ['fetch'] }] },
      }),
    ).toBe(true)
    expect(
      shell({ config: { network: true, rules: [{ effect: 'deny', permission: '*', tools: ['*'] }] } }),
    ).toBe(false)
  })
})

describe('observe mode', () => {
  const layers: PolicyLayers = {
    runtime: { deny: ['crm.delete'], rules: [{ id: 'mail', effect: 'ask', permission: 'mail.send' }] },
    config: {
      mode: 'observe',
      rules: [
        { id: 'no-keys', effect: 'deny', permission: '*', paths: ['inputs/keys'], reason: 'Keys stay here.' },
        { id: 'ask-net', effect: 'ask', permission: 'network' },
        { id: 'no-mail', effect: 'deny', permission: 'mail.send' },
      ],
    },
    sandbox: { mounts: [{ name: 'inputs', mode: 'ro', ignoresCase: false }] },
  }
  const { check, mode } = buildEffectivePolicy(layers)

  it('lets calls run and says what would have been decided, by which rule and why', () => {
    expect(mode).toBe('observe')
    expect(check({ permission: 'filesystemRead', tool: 't', path: 'inputs/keys/a' })).toMatchObject({
      decision: 'allow',
      observed: 'deny',
      layer: 'config',
      rule: 'no-keys',
      reason: 'Observe mode; it would be denied: Keys stay here.',
    })
    expect(check({ permission: 'network', tool: 't' })).toMatchObject({
      decision: 'allow',
      observed: 'ask',
      rule: 'ask-net',
    })
    expect(check({ permission: 'crm.read', tool: 't' })).toMatchObject({
      decision: 'allow',
      observed: 'deny',
      layer: 'default',
      rule: null,
    })
    expect(check({ permission: 'filesystemRead', tool: 't', path: 'inputs/a' })).not.toHaveProperty(
      'observed',
    )
  })

  it('keeps what the host program and the sandbox say', () => {
    expect(check({ permission: 'crm.delete', tool: 't' })).toMatchObject({
      decision: 'deny',
      layer: 'runtime',
    })
    expect(check({ permission: 'shell', tool: 't' })).toMatchObject({ decision: 'deny', layer: 'runtime' })
    expect(check({ permission: 'filesystemWrite', tool: 't', path: 'inputs/a' })).toMatchObject({
      decision: 'deny',
      layer: 'sandbox',
    })
    expect(check({ permission: 'filesystemRead', tool: 't', path: 'other/a' })).toMatchObject({
      decision: 'deny',
      layer: 'sandbox',
    })
    expect(check({ permission: 'mail.send', tool: 't' })).toMatchObject({
      decision: 'ask',
      rule: 'mail',
      observed: 'deny',
    })
  })
})

describe('explain', () => {
  const policy = buildEffectivePolicy({
    runtime: { deny: ['network'] },
    config: {
      filesystemWrite: true,
      rules: [
        { id: 'drafts', effect: 'ask', permission: 'filesystemWrite', paths: ['inputs/drafts'] },
        { effect: 'deny', permission: 'filesystemWrite', paths: ['inputs/drafts/final'] },
      ],
    },
    sandbox: { mounts: [{ name: 'inputs', mode: 'rw', ignoresCase: false }] },
  })

  it('lists every rule that matches in order of weight, the deciding one, and a sentence with its place', () => {
    const { matching, deciding, sentence } = explain(policy, {
      permission: 'filesystemWrite',
      tool: 'write_file',
      path: 'inputs/drafts/final/a.md',
    })
    expect(matching.map(({ id }) => id)).toEqual([
      'config.permissions.rules[1]',
      'drafts',
      'runtime.filesystemWrite',
      'config.permissions.filesystemWrite',
    ])
    expect(deciding?.id).toBe('config.permissions.rules[1]')
    expect(sentence).toBe(
      'filesystemWrite on inputs/drafts/final/a.md for write_file is denied by config rule config.permissions.rules[1]: ' +
        'Rule config.permissions.rules[1] denies it. 3 other matching rules weigh less.',
    )
    const asked = explain(policy, {
      permission: 'filesystemWrite',
      tool: 'write_file',
      path: 'inputs/drafts/a.md',
    })
    expect(asked.sentence).toContain(
      'needs a person’s approval by config rule drafts at config.permissions.rules[0]: ',
    )
  })

  it('tells constraints of the sandbox and silence of everybody apart', () => {
    const outside = explain(policy, { permission: 'network', tool: 'fetch', path: 'elsewhere' })
    expect(outside.matching.map(({ id }) => id)).toEqual(['runtime.deny[0]', 'sandbox.outside'])
    const nobody = explain(policy, { permission: 'crm.write', tool: 'crm' })
    expect(nobody).toMatchObject({ matching: [], deciding: null })
    expect(nobody.sentence).toBe('crm.write for crm is denied by default: Nobody has allowed crm.write.')
  })
})
