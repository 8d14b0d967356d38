import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder, kgent } from './fixture.ts'

it('policy check prints what does nothing, and fails with the place where a run would not start', async () => {
  const dir = folder({
    'good.json':
      '{ "permissions": { "rules": [{ "effect": "deny", "permission": "filesystemRead", "paths": ["**/.env*"] }] } }',
    'dead.json':
      '{ "permissions": { "rules": [{ "effect": "deny", "permission": "filesystemRead", "paths": [] }] } }',
  })
  const good = await kgent(['policy', 'check', '--config', join(dir, 'good.json')])
  expect([good.code, good.out]).toEqual([
    0,
    expect.stringMatching(/The policy loads: \d+ rules, 0 warnings, mode enforce\./),
  ])
  const dead = await kgent(['policy', 'check', '--config', join(dir, 'dead.json')])
  expect([dead.code, dead.error]).toEqual([1, expect.stringContaining('rules[0].paths')])
})
