import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder, kgent } from './fixture.ts'

describe('call', () => {
  it('makes one call and prints one JSON value', async () => {
    const input = folder({ 'a.txt': 'hello' })
    const ended = await kgent([
      'call',
      'read_file',
      '--input',
      '{"path":"inputs/a.txt"}',
      '--input',
      input,
      '--runs',
      folder(),
    ])
    expect([ended.code, ended.error]).toEqual([0, ''])
    expect(ended.json()).toMatchObject({ ok: true, data: { text: 'hello' } })
  })

  it.each([
    ['a denial', ['call', 'write_file', '--input', '{"path":"/etc/x","content":"x"}'], 3, 'path_outside'],
    ['invalid input', ['call', 'read_file', '--input', '{"path":5}'], 2, 'invalid_input'],
    ['an unknown tool', ['call', 'raed_file', '--input', '{}'], 2, 'unknown_tool'],
    ['a missing file', ['call', 'read_file', '--input', '{"path":"workspace/none"}'], 1, 'not_found'],
  ])('%s has its own exit code, and the result says why', async (_what, args, code, error) => {
    const ended = await kgent([...args, '--runs', folder()])
    expect(ended.code).toBe(code)
    expect(ended.json().error.code).toBe(error)
  })
})

describe('bad input', () => {
  const runs = folder()
  it.each([
    ['an unknown command', ['rnu'], 2, /Did you mean run\?/],
    ['an unknown option', ['run', '--inptu', 'x'], 2, /Did you mean --input\?/],
    [
      'a missing input folder',
      ['run', '--input', '/no/such/folder'],
      2,
      /--input \/no\/such\/folder: there is no such folder/,
    ],
    ['input that is not JSON', ['call', 'read_file', '--input', '{"path":'], 2, /--input is not JSON/],
    [
      'input that is neither',
      ['call', 'read_file', '--input', 'nonsense'],
      2,
      /neither a JSON object .+ nor a folder/,
    ],
    [
      'a config that is not there',
      ['run', '--config', '/no/config.json', '--runs', runs],
      1,
      /does not exist/,
    ],
    ['a model without an endpoint', ['run', '--model', 'gpt-x'], 2, /KGENT_BASE_URL/],
    ['a run that is not there', ['verify', 'nothing-here'], 1, /no log/],
  ])('%s is one line on stderr, an exit code and no stack', async (_what, args, code, message) => {
    const ended = await kgent(args)
    expect(ended.error).toMatch(message)
    expect(ended.error).not.toMatch(/\n\s+at /)
    expect([ended.code, ended.out]).toEqual([code, ''])
  })

  it('an unknown key or a wrong type in a config names the file and the place', async () => {
    const dir = folder({
      'kgent.config.json': '{ "permissions": { "netwrk": true } }',
      'b.json': '{ "tools": { "limits": { "callTimeoutMs": "5" } } }',
    })
    const unknown = await kgent(['tools', '--config', join(dir, 'kgent.config.json')])
    const wrong = await kgent(['tools', '--config', join(dir, 'b.json')])
    expect(unknown.error).toBe(
      'kgent: kgent.config.json.permissions has the unknown key "netwrk": remove it or correct its spelling\n',
    )
    expect(wrong.error).toContain('b.json.tools.limits.callTimeoutMs')
    expect([unknown.code, wrong.code]).toEqual([1, 1])
  })

  it('a folder for runs that cannot be written is said with its path', async () => {
    const dir = folder({ file: '' })
    const { code, error } = await kgent(['run', '--runs', join(dir, 'file')])
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/^kgent: The run folder .* cannot be written \(ENOTDIR\).*\n$/),
    ])
  })
})

describe('tools, policy, verify, help', () => {
  it('tools lists what a run would have, with schemas in JSON', async () => {
    const listed = await kgent(['tools'])
    expect(listed.out).toMatch(/^read_file +Read a text file/)
    const tools = (await kgent(['tools', '--json'])).json()
    expect(tools.map(({ name }: { name: string }) => name)).toContain('grep_files')
    expect(tools[0].inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
  })

  it('policy explain names the rule that decides, on the real path', async () => {
    const dir = folder({
      'kgent.config.json':
        '{ "permissions": { "rules": [{ "id": "no-env", "effect": "deny", "permission": "filesystemRead", "paths": ["**/.env*"] }] } }',
    })
    const config = ['--config', join(dir, 'kgent.config.json')]
    const { out, code } = await kgent(['policy', 'explain', '--path', 'workspace/x/../.env', ...config])
    expect(code).toBe(0)
    expect(out).toMatch(/filesystemRead +workspace\/\.env +deny +config +no-env/)
    const all = (await kgent(['policy', 'explain', '--json', ...config])).json()
    expect(all.find((row: { permission: string }) => row.permission === 'shell')).toMatchObject({
      decision: 'deny',
      layer: 'runtime',
    })
  })

  it('verify names a changed line and fails', async () => {
    const runs = folder()
    await kgent(['call', 'list_files', '--run', 'r', '--runs', runs])
    const file = join(runs, 'r', 'logs', 'tools.jsonl')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"status":"ok"', '"status":"error"'))
    const { code, out } = await kgent(['verify', 'r', '--runs', runs])
    expect([code, out]).toEqual([1, expect.stringContaining('logs/tools.jsonl')])
  })

  it('every command has help with an example', async () => {
    for (const command of ['run', 'tools', 'call', 'verify', 'init']) {
      const { out, code } = await kgent([command, '--help'])
      expect([command, code, out.includes('Example:')]).toEqual([command, 0, true])
    }
    expect((await kgent(['policy', 'explain', '--help'])).out).toContain('Example:')
    expect((await kgent(['--help'])).out).toContain('Exit codes: 0 ok')
  })
})
