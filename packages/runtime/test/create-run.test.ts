import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRun, defineTool, verifyRun } from '@kgent/runtime'
import { okResult } from '@kgent/tools-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fileText, folder, type Line, lines, startRun } from './fixture.ts'

describe('createRun', () => {
  it('writes a manifest that says what the run was made of and how it ended', async () => {
    const run = await startRun({ runId: 'first', actor: { id: 'ada' } })
    const manifest = () => JSON.parse(readFileSync(join(run.dir, 'run.json'), 'utf8'))
    expect(manifest()).toMatchObject({
      v: 1,
      runId: 'first',
      status: 'running',
      actor: { id: 'ada' },
      endedAt: null,
    })
    await run.call('list_files', {})
    await run.close()
    expect(manifest()).toMatchObject({
      status: 'completed',
      endedAt: expect.any(String),
      policy: { filesystemRead: true, shell: false },
      lastHash: {
        tools: expect.stringMatching(/^[0-9a-f]{64}$/),
        events: expect.stringMatching(/^[0-9a-f]{64}$/),
        errors: null,
      },
    })
    expect(readFileSync(join(run.dir, 'run.json'), 'utf8')).not.toContain(run.dir)
  })

  it('a run id whose folder exists continues that run', async () => {
    const runsDir = folder()
    const first = await createRun({ runsDir, runId: 'r' })
    await first.call('write_file', { path: 'workspace/a.txt', content: 'kept' })
    await first.close()
    const second = await startRun({ runsDir, runId: 'r' })
    expect((await second.call('read_file', { path: 'workspace/a.txt' })).data?.text).toBe('kept')
    await second.close()
    expect(lines(second, 'logs/tools.jsonl').map(({ seq }) => seq)).toEqual([1, 2])
    expect(JSON.parse(readFileSync(join(second.dir, 'run.json'), 'utf8')).continued).toBe(1)
    expect((await verifyRun(second.dir)).ok).toBe(true)
  })

  it('two runs in one folder at a time are refused', async () => {
    const runsDir = folder()
    await startRun({ runsDir, runId: 'r' })
    await expect(createRun({ runsDir, runId: 'r' })).rejects.toThrow('is open in process')
  })

  it('takes over the folder of a process that died, and records what it left open as interrupted', async () => {
    const runsDir = folder()
    const dead = await createRun({ runsDir, runId: 'r' })
    await dead.close()
    const start: Line = {
      ...lines(dead, 'events.jsonl').at(-1),
      type: 'tool.call.start',
      callId: 'lost-call',
    }
    const hash = (await import('node:crypto')).createHash('sha256')
    const events = readFileSync(join(dead.dir, 'events.jsonl'), 'utf8')
    const last = events.trimEnd().split('\n').at(-1) ?? ''
    const line = {
      ...start,
      seq: start.seq + 1,
      prev: hash.update(last).digest('hex'),
      data: {
        tool: 'write_file',
        toolCallId: null,
        attempt: 1,
        input: { sha256: 'a'.repeat(64), bytes: 2, shape: {} },
      },
    }
    writeFileSync(join(dead.dir, 'events.jsonl'), `${events}${JSON.stringify(line)}\n`)
    writeFileSync(join(dead.dir, 'run.lock'), '999999999')
    const next = await startRun({ runsDir, runId: 'r' })
    expect(lines(next, 'logs/tools.jsonl').at(-1)).toMatchObject({
      callId: 'lost-call',
      tool: 'write_file',
      status: 'interrupted',
    })
  })

  it('custom tools are governed like the built-in ones', async () => {
    const crm = defineTool({
      name: 'update_customer',
      description: 'Change a customer.',
      inputSchema: z.strictObject({ id: z.string() }),
      permissions: ['crm.write'],
      handler: () => okResult('Updated', {}),
    })
    const denied = await startRun({ tools: [crm] })
    expect((await denied.call('update_customer', { id: '1' })).error).toMatchObject({
      code: 'permission_denied',
      details: { layer: 'default' },
    })
    const allowed = await startRun({
      tools: [crm],
      config: { permissions: { rules: [{ effect: 'allow', permission: 'crm.write' }] } },
    })
    expect((await allowed.call('update_customer', { id: '1' })).ok).toBe(true)
  })

  it('a rule holds on the real path, in reading, listing and searching alike', async () => {
    const inputs = folder({ 'keys/k.txt': 'DENIED-9003', 'open.txt': 'token open' })
    const { symlinkSync } = await import('node:fs')
    symlinkSync('keys/k.txt', join(inputs, 'pub.txt'))
    const run = await startRun({
      mounts: [{ name: 'inputs', dir: inputs }],
      config: {
        permissions: { rules: [{ effect: 'deny', permission: 'filesystemRead', paths: ['inputs/keys/**'] }] },
      },
    })
    const results = await Promise.all([
      ...['inputs/keys/k.txt', 'inputs/./keys//k.txt', '/inputs/keys/k.txt', 'inputs/pub.txt'].map((path) =>
        run.call('read_file', { path }),
      ),
      run.call('grep_files', { pattern: 'DENIED', path: 'inputs' }),
      run.call('list_files', { path: 'inputs', recursive: true }),
    ])
    expect(JSON.stringify(results)).not.toContain('DENIED-9003')
    expect(results[4]?.data).toMatchObject({ matches: [], leftOut: { denied: expect.any(Number) } })
    expect(JSON.stringify(results[5]?.data?.entries)).not.toContain('keys/k.txt"')
  })

  it('mounts must exist, have names of their own, and not hold the logs', async () => {
    const runsDir = folder()
    const start = (mounts: { name: string; dir: string; mode?: 'rw' }[]) => createRun({ runsDir, mounts })
    await expect(start([{ name: 'inputs', dir: '/no/such/folder' }])).rejects.toThrow(
      'mounts[0].dir: /no/such/folder does not exist',
    )
    await expect(start([{ name: 'workspace', dir: runsDir }])).rejects.toThrow('folder of the run itself')
    await expect(start([{ name: 'all', dir: runsDir, mode: 'rw' }])).rejects.toThrow('must not hold the run')
    mkdirSync(join(runsDir, 'own', 'logs'), { recursive: true })
    const inside = { name: 'logs', dir: join(runsDir, 'own', 'logs'), mode: 'rw' as const }
    await expect(createRun({ runsDir, runId: 'own', mounts: [inside] })).rejects.toThrow('or lie in it')
  })

  it('a denied folder tells nothing about what is in it', async () => {
    const inputs = folder({ 'keys/k.txt': 'x', 'keys/sub/a.txt': 'x' })
    const run = await startRun({
      mounts: [{ name: 'inputs', dir: inputs }],
      config: {
        permissions: { rules: [{ effect: 'deny', permission: 'filesystemRead', paths: ['inputs/keys/**'] }] },
      },
    })
    const paths = ['k.txt', 'k.txt/below', 'sub', 'none', 'none/below', 'sub/../k.txt/below']
    const answers = await Promise.all(
      paths.map((path) => run.call('read_file', { path: `inputs/keys/${path}` })),
    )
    expect(new Set(answers.map(({ error }) => error?.code))).toEqual(new Set(['permission_denied']))
  })

  it('no piece of a pattern that does not parse is logged', async () => {
    const run = await startRun()
    await run.call('grep_files', { pattern: '(hunter2' })
    await run.call('list_files', { glob: '[hunter2' })
    await run.close()
    for (const file of ['logs/tools.jsonl', 'events.jsonl', 'logs/errors.jsonl'])
      expect(fileText(run, file)).not.toContain('hunter2')
  })

  it('a folder for runs that cannot be made stops the start with one line', async () => {
    const dir = folder({ file: '' })
    await expect(createRun({ runsDir: join(dir, 'file', 'runs') })).rejects.toThrow(
      /cannot be written \(ENOTDIR\)/,
    )
    await expect(createRun({ runsDir: dir, runId: '../x' })).rejects.toThrow('plain name')
    if (process.platform === 'linux')
      await expect(createRun({ runsDir: '/proc/none/runs' })).rejects.toThrow('cannot be written')
  })

  it('no log file is reachable from a tool, whatever the path', async () => {
    const run = await startRun()
    mkdirSync(join(run.dir, 'workspace', 'sub'))
    for (const path of [
      'logs/tools.jsonl',
      'events.jsonl',
      '../events.jsonl',
      'workspace/../events.jsonl',
      'run.json',
      'archive/candidate-memory.jsonl',
    ]) {
      await run.call('write_file', { path, content: '{"forged":true}\n' })
    }
    await run.close()
    expect((await verifyRun(run.dir)).ok).toBe(true)
    expect(readFileSync(join(run.dir, 'events.jsonl'), 'utf8')).not.toContain('forged')
  })

  it('a keyed log verifies with its key only, and a wrapped logger sees every record', async () => {
    const seen: string[] = []
    const run = await startRun({
      log: {
        hmacKey: 'k',
        wrap: (logger) => ({
          ...logger,
          record(record) {
            seen.push(record.tool)
            logger.record(record)
          },
          recordError: (entry) => logger.recordError(entry),
          flush: () => logger.flush(),
          failure: logger.failure,
          required: logger.required,
        }),
      },
    })
    await run.call('list_files', {})
    await run.close()
    expect(seen).toEqual(['list_files'])
    expect((await verifyRun(run.dir, { hmacKey: 'k' })).ok).toBe(true)
    expect((await verifyRun(run.dir)).ok).toBe(false)
  })
})
