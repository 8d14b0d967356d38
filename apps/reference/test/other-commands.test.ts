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
    expect(ended.error).toMatch(/^kgent: \w+: .+\n$/)
    if (error === 'unknown_tool') expect(ended.error).toContain('Did you mean read_file?')
  })
})

describe('init', () => {
  it('writes a commented config that works, and never over one that is there', async () => {
    const cwd = folder()
    expect((await kgent(['init'], { cwd })).code).toBe(0)
    const explained = await kgent(['policy', 'explain', '--path', 'workspace/.env'], { cwd })
    expect(explained.out).toMatch(/filesystemRead +workspace\/\.env +deny +config +no-dotenv/)
    expect((await kgent(['skills', 'check', 'skills', '--strict'], { cwd })).code).toBe(0)
    const again = await kgent(['init'], { cwd })
    expect([again.code, again.error]).toEqual([
      1,
      'kgent: kgent.config.json is already here; nothing was changed.\n',
    ])
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
      2,
      /does not exist/,
    ],
    ['a model without an endpoint', ['run', '--model', 'gpt-x'], 2, /KGENT_BASE_URL/],
    ['a run that is not there', ['verify', 'nothing-here'], 1, /no run nothing-here below runs/],
    [
      'a runs folder that is not there',
      ['memory', 'list', '--runs', 'none'],
      2,
      /--runs none: there is no such folder/,
    ],
    ['a mistyped planner', ['run', '--model', 'scirpted'], 2, /did you mean scripted\?/],
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

describe('memory', () => {
  it('a person lists what waits, accepts, edits and rejects it by the beginning of its key', async () => {
    const runs = folder()
    const at = ['--runs', runs, '--json']
    for (const content of ['Reports are in English.', 'Logs are in logs/.', 'Ask Ada.'])
      await kgent(['call', 'write_memory', '--runs', runs, '--input', JSON.stringify({ content })])
    const waiting = (await kgent(['memory', 'list', ...at])).json().groups
    const keyOf = (content: string) =>
      waiting.find((group: { content: string }) => group.content === content).key.slice(0, 8)
    await kgent(['memory', 'accept', keyOf('Reports are in English.'), ...at])
    await kgent([
      'memory',
      'edit',
      keyOf('Logs are in logs/.'),
      '--content',
      'Logs are in logs/, newest last.',
      ...at,
    ])
    await kgent(['memory', 'reject', keyOf('Ask Ada.'), '--reason', 'names a person', ...at])
    expect((await kgent(['memory', 'list', '--runs', runs])).out).toBe('Nothing waits for review.\n')
    const all = await kgent(['memory', 'list', '--all', '--runs', runs])
    expect(all.out).toMatch(
      /^[0-9a-f]{12} {2}accepted {2}seen in \S+ {2}scope default\n {2}Reports are in English\.$/m,
    )
    expect(all.out).toMatch(/accepted .*\n {2}Logs are in logs\/, newest last\./)
    expect(all.out).toMatch(/rejected .*\n {2}Ask Ada\./)
  })

  it('a key that fits nothing is said in one line', async () => {
    const { code, error, out } = await kgent(['memory', 'accept', 'ffffffff', '--runs', folder()])
    expect([code, error, out]).toEqual([
      1,
      expect.stringMatching(/^kgent: No candidate has this key; .+\n$/),
      '',
    ])
  })
})

describe('policy replay', () => {
  it('lists the calls that another policy would decide differently', async () => {
    const runs = folder()
    const input = folder({ 'a.txt': 'x' })
    const config = folder({
      'strict.json':
        '{ "permissions": { "rules": [{ "id": "no-a", "effect": "deny", "permission": "filesystemRead", "paths": ["inputs/a.txt"] }] } }',
    })
    const read = ['--input', '{"path":"inputs/a.txt"}', '--input', input]
    await kgent(['call', 'read_file', '--run', 'r', '--runs', runs, ...read])
    const replay = ['policy', 'replay', 'r', '--runs', runs]
    expect((await kgent(replay)).out).toMatch(/^1 calls, .*: 0 calls would change\.\n$/)
    const strict = await kgent([...replay, '--config', join(config, 'strict.json')])
    expect(strict.out).toMatch(/1 +read_file +filesystemRead on inputs\/a\.txt +allow → deny +stricter +no-a/)
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

  it('the skills that are shipped have nothing to mend', async () => {
    const { data } = (await kgent(['call', 'list_skills', '--runs', folder()])).json()
    const found = data.skills.map(({ id, remarks }: { id: string; remarks: string[] }) => [id, ...remarks])
    expect([found, data.problems]).toEqual([[['data-digest'], ['findings-report']], []])
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
    const shell = all.find((row: { decision: { permission: string } }) => row.decision.permission === 'shell')
    expect(shell.decision).toMatchObject({ decision: 'deny', layer: 'runtime' })
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
    const commands = [
      'run',
      'tools',
      'call',
      'verify',
      'report',
      'init',
      'doctor',
      'policy explain',
      'policy replay',
    ]
    const reviews = ['memory list', 'memory accept', 'memory edit', 'memory reject']
    for (const command of [...commands, ...reviews]) {
      const { out, code } = await kgent([...command.split(' '), '--help'])
      expect([command, code, out.includes('Example:')]).toEqual([command, 0, true])
    }
    expect((await kgent(['--help'])).out).toContain('Exit codes: 0 ok')
  })
})
