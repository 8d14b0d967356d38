import { join } from 'node:path'
import { configJsonSchema, createRun, type KgentConfig } from '@kgent/runtime'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { folder, startRun } from './fixture.ts'

const bad = (config: unknown) => createRun({ runsDir: folder(), config: config as KgentConfig })

describe('config', () => {
  it.each([
    ['an unknown key', { permission: {} }, 'config has the unknown key "permission"'],
    ['a nested unknown key', { logging: { redakt: [] } }, 'config.logging has the unknown key "redakt"'],
    ['a wrong type', { sandbox: { limits: { maxReadBytes: '5' } } }, 'config.sandbox.limits.maxReadBytes'],
    ['null for a switch', { permissions: { network: null } }, 'config.permissions.network'],
    ['null for a list', { permissions: { rules: null } }, 'config.permissions.rules'],
    [
      'a bad rule',
      { permissions: { rules: [{ effect: 'forbid', permission: 'shell' }] } },
      'config.permissions.rules[0].effect',
    ],
    [
      'a glob that does not parse',
      { permissions: { rules: [{ effect: 'deny', permission: '*', paths: ['inputs/[a'] }] } },
      'rules[0]',
    ],
    ['an unknown tool', { tools: { disable: ['read_fil'] } }, 'there is no tool "read_fil"'],
    ['no object', [], 'config'],
  ])('%s stops the start with its place', async (_what, config, message) => {
    await expect(bad(config)).rejects.toThrow(message)
  })

  it('a file that is missing, no JSON or wrong is named with its place', async () => {
    const dir = folder({
      'bad.json': '{ "permissions": ',
      'wrong.json': '{ "permissions": { "shel": true } }',
    })
    const start = (name: string) => createRun({ runsDir: folder(), configFile: join(dir, name) })
    await expect(start('none.json')).rejects.toThrow('does not exist')
    await expect(start('bad.json')).rejects.toThrow('bad.json is not JSON')
    await expect(start('wrong.json')).rejects.toThrow('wrong.json.permissions has the unknown key "shel"')
  })

  it('a file may hold comment lines and folders relative to itself', async () => {
    const dir = folder({
      'kgent.config.json':
        '{\n  // the data to look at\n  "sandbox": { "mounts": [{ "name": "data", "dir": "./d" }] }\n}\n',
      'd/a.txt': 'hello',
    })
    const run = await startRun({ configFile: join(dir, 'kgent.config.json') })
    expect((await run.call('read_file', { path: 'data/a.txt' })).data?.text).toBe('hello')
  })

  it('the published JSON Schema agrees with the check', () => {
    const validate = new Ajv({ strict: false, formats: { uri: true } }).compile(configJsonSchema())
    expect(validate({ permissions: { network: true }, tools: { enable: [] } })).toBe(true)
    expect(validate({ permissions: { netwrk: true } })).toBe(false)
  })

  it('"not set" and [] are different: all tools, or none', async () => {
    expect((await startRun()).tools.length).toBeGreaterThan(5)
    expect((await startRun({ config: { tools: { enable: [] } } })).tools).toHaveLength(0)
  })

  it('config cannot turn on what is destructive', async () => {
    const run = await startRun({ config: { permissions: { shell: true, filesystemDelete: true } } })
    expect(run.policy).toMatchObject({ shell: false, filesystemDelete: false })
  })

  it('a rule about a tool that is switched off is no mistake', async () => {
    const run = await startRun({
      config: {
        tools: { disable: ['edit_file'] },
        permissions: { rules: [{ effect: 'deny', permission: 'filesystemWrite', tools: ['edit_file'] }] },
      },
    })
    expect(run.tool('edit_file')).toBeUndefined()
  })
})
