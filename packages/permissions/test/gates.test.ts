import {
  buildEffectivePolicy,
  explain,
  failClosedGate,
  type PermissionGate,
  withGate,
} from '@kgent/permissions'
import { describe, expect, it } from 'vitest'

const request = { permission: 'filesystemRead', tool: 'read_file', path: 'inputs/a' }
const answer = {
  permission: 'filesystemRead',
  resource: 'inputs/a',
  decision: 'allow' as const,
  layer: 'config' as const,
  rule: 'engine',
  reason: 'ok',
  requestedBy: [],
}

describe('failClosedGate', () => {
  it('turns everything that is not a clear answer into a denial with a reason', () => {
    const broken: unknown[] = [
      undefined,
      null,
      true,
      'allow',
      {},
      Promise.resolve(answer),
      { ...answer, decision: 'permit' },
      { ...answer, decision: undefined },
      { ...answer, reason: '' },
      { ...answer, permission: 'network' },
      { ...answer, resource: 'inputs/b' },
      { ...answer, layer: 'engine' },
      { ...answer, requestedBy: undefined },
    ]
    for (const value of broken) {
      const gate = failClosedGate((() => value) as PermissionGate)
      expect(gate(request), JSON.stringify(value)).toEqual({
        permission: 'filesystemRead',
        resource: 'inputs/a',
        decision: 'deny',
        layer: 'default',
        rule: null,
        reason: expect.stringContaining('counts as a denial'),
        requestedBy: [],
      })
    }
    const throwing = failClosedGate(() => {
      throw new Error('secret inner text')
    })
    expect(throwing(request).decision).toBe('deny')
    expect(JSON.stringify(throwing(request))).not.toContain('secret inner text')
    expect(failClosedGate(() => answer)(request)).toBe(answer)
  })
})

describe('withGate', () => {
  const policy = buildEffectivePolicy({
    runtime: { deny: ['network'] },
    skills: [{ id: 'tidy', permissions: ['filesystemRead'] }],
    sandbox: { mounts: [{ name: 'inputs', mode: 'ro', ignoresCase: false }] },
  })
  const answering =
    (decision: 'allow' | 'ask' | 'deny'): PermissionGate =>
    ({ permission, path }) => ({ ...answer, permission, resource: path ?? null, decision })

  it('lets the stricter of policy and engine decide: the engine takes away and never gives', () => {
    expect(withGate(policy, answering('deny')).check(request)).toMatchObject({
      decision: 'deny',
      rule: 'engine',
      requestedBy: ['skill:tidy'],
    })
    expect(withGate(policy, answering('ask')).check(request)).toMatchObject({
      decision: 'ask',
      rule: 'engine',
    })
    expect(withGate(policy, answering('allow')).check(request)).toMatchObject({
      decision: 'allow',
      rule: 'runtime.filesystemRead',
    })
    const generous = withGate(policy, answering('allow'))
    expect(generous.check({ permission: 'network', tool: 't' }).layer).toBe('runtime')
    expect(generous.check({ ...request, permission: 'filesystemWrite' }).layer).toBe('sandbox')
    expect(generous.check({ permission: 'crm.write', tool: 't' }).decision).toBe('deny')
  })

  it('denies what the engine fails to answer, and still explains', () => {
    const failing = withGate(policy, () => {
      throw new Error('engine not loaded')
    })
    expect(failing.check(request)).toMatchObject({ decision: 'deny', layer: 'default' })
    expect(explain(failing, request)).toMatchObject({
      decision: { decision: 'deny' },
      deciding: null,
      matching: [{ id: 'runtime.filesystemRead' }],
    })
    expect(Object.isFrozen(failing)).toBe(true)
  })
})
