import { buildEffectivePolicy, placementOf } from '@kgent/permissions'
import { describe, expect, it } from 'vitest'

describe('placementOf', () => {
  const policy = buildEffectivePolicy({
    config: {
      network: true,
      rules: [
        { effect: 'deny', permission: 'network', tools: ['scrape'], reason: 'Not from here.' },
        { effect: 'ask', permission: 'crm.write', tools: ['crm_*'] },
      ],
    },
  })

  it('names the class of permissions that a call needs, whatever order they are said in', () => {
    const one = placementOf({ name: 'fetch', permissions: ['network', 'filesystemRead', 'network'] }, policy)
    expect(one).toEqual({
      permissionClass: 'filesystemRead+network',
      permissions: ['filesystemRead', 'network'],
      runnable: true,
      refused: [],
    })
    expect(placementOf({ name: 'fetch', permissions: [] }, policy)).toMatchObject({
      permissionClass: 'none',
      runnable: true,
    })
  })

  it('says which permissions the policy gives this tool nowhere, and why', () => {
    expect(placementOf({ name: 'scrape', permissions: ['network', 'shell'] }, policy)).toMatchObject({
      runnable: false,
      refused: [
        { permission: 'network', reason: 'Not from here.' },
        { permission: 'shell', reason: 'Shell access is off until the host program itself turns it on.' },
      ],
    })
    expect(placementOf({ name: 'crm_update', permissions: ['crm.write'] }, policy).runnable).toBe(true)
    expect(placementOf({ name: 'other', permissions: ['crm.write'] }, policy)).toMatchObject({
      runnable: false,
      refused: [{ permission: 'crm.write', reason: 'Nobody has allowed crm.write.' }],
    })
  })

  it('works for a policy that is only data', () => {
    const copy = { ...policy }
    expect(placementOf({ name: 'scrape', permissions: ['network'] }, copy).runnable).toBe(false)
  })
})
