import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildEffectivePolicy } from '@kgent/permissions'
import { BUILT_IN_TOOLS, buildToolsets } from '@kgent/tools-core'
import { describe, expect, it } from 'vitest'
import { fileText, folder, lines, startRun } from './fixture.ts'

// The tests and acceptance points that the origin document asks for, in its words, on real parts.

describe('unit', () => {
  it('runtime deny rules win', async () => {
    const run = await startRun({
      host: { deny: ['filesystemWrite'] },
      config: { permissions: { filesystemWrite: true, rules: [{ effect: 'allow', permission: '*' }] } },
    })
    const result = await run.call('write_file', { path: 'deliverables/a.md', content: 'x' })
    expect(result.error).toMatchObject({ code: 'permission_denied', details: { layer: 'runtime' } })
  })

  it('sandbox constraints win', async () => {
    const inputs = folder({ 'a.txt': 'original' })
    const run = await startRun({
      mounts: [{ name: 'inputs', dir: inputs }],
      config: {
        permissions: { rules: [{ effect: 'allow', permission: 'filesystemWrite', paths: ['inputs/**'] }] },
      },
    })
    const result = await run.call('write_file', { path: 'inputs/a.txt', content: 'changed' })
    expect(result.error).toMatchObject({ code: 'permission_denied', details: { layer: 'sandbox' } })
    expect((await run.call('read_file', { path: 'inputs/a.txt' })).data?.text).toBe('original')
  })

  it('skill permissions cannot grant alone', async () => {
    const skills = folder({
      'wish/SKILL.md':
        '---\nname: wish\ndescription: asks for much\nallowed-tools: shell\nmetadata:\n  kgent-permissions: network shell\n---\nBODY\n',
    })
    const run = await startRun({ skillDirs: [skills] })
    expect((await run.call('load_skill', { skillId: 'wish' })).ok).toBe(true)
    expect(run.policy.network).toBe(false)
    expect(run.policy.shell).toBe(false)
    const wishes = run.policy.wishes.filter(({ permission }) => permission === 'network')
    expect(wishes).toMatchObject([{ granted: false, requestedBy: 'skill:wish', reason: expect.any(String) }])
  })

  it('filesystem read obeys max bytes', async () => {
    const inputs = folder({ 'long.txt': 'line of text\n'.repeat(1_000) })
    const run = await startRun({
      mounts: [{ name: 'inputs', dir: inputs }],
      config: { sandbox: { limits: { maxReadBytes: 1_000 } } },
    })
    const { data } = await run.call('read_file', { path: 'inputs/long.txt' })
    expect(Buffer.byteLength(data?.text as string)).toBeLessThanOrEqual(1_000)
    expect(data).toMatchObject({ truncated: true, nextOffset: expect.any(Number), totalBytes: 13_000 })
  })

  it('write outside the sandbox is blocked', async () => {
    const outside = folder()
    const run = await startRun()
    for (const path of [
      '../../evil.txt',
      `${outside}/evil.txt`,
      'workspace/../../../evil.txt',
      '../logs/tools.jsonl',
    ]) {
      const result = await run.call('write_file', { path, content: 'x' })
      expect(result.ok, path).toBe(false)
    }
    expect(existsSync(join(outside, 'evil.txt'))).toBe(false)
    expect(lines(run, 'logs/tools.jsonl').map(({ status }) => status)).toEqual([
      'denied',
      'denied',
      'denied',
      'denied',
    ])
  })

  it('write under deliverables succeeds', async () => {
    const run = await startRun()
    const result = await run.call('write_file', { path: 'deliverables/sub/report.md', content: '# Hi\n' })
    expect(result).toMatchObject({ ok: true, data: { created: true, bytes: 5 } })
    expect(fileText(run, 'deliverables/sub/report.md')).toBe('# Hi\n')
  })

  it('grep returns bounded output', async () => {
    const inputs = folder({ 'many.log': 'needle in a line\n'.repeat(5_000) })
    const run = await startRun({
      mounts: [{ name: 'inputs', dir: inputs }],
      config: { sandbox: { limits: { maxGrepMatches: 40 } } },
    })
    const { data } = await run.call('grep_files', { pattern: 'needle', path: 'inputs' })
    expect(data?.matches).toHaveLength(40)
    expect(data).toMatchObject({ truncated: true, limitsHit: ['matches'] })
  })

  it('memory write disabled returns blocked', async () => {
    const run = await startRun({ config: { memory: { writeMode: 'disabled' } } })
    const result = await run.call('write_memory', { content: 'remember me' })
    expect(result).toMatchObject({
      ok: false,
      data: { status: 'blocked' },
      error: { code: 'memory_disabled' },
    })
    expect(existsSync(join(run.dir, 'archive/candidate-memory.jsonl'))).toBe(false)
  })

  it('memory candidate mode writes the archive file', async () => {
    const run = await startRun({ actor: { id: 'ada' } })
    expect((await run.call('write_memory', { content: 'Reports are in English.' })).data?.status).toBe(
      'candidate',
    )
    const [candidate] = lines(run, 'archive/candidate-memory.jsonl')
    expect(candidate).toMatchObject({ content: 'Reports are in English.', scope: 'default', runId: run.id })
  })

  it('a tool call record contains duration, status and summary', async () => {
    const run = await startRun()
    await run.call('list_files', {})
    expect(lines(run, 'logs/tools.jsonl')).toMatchObject([
      {
        v: 1,
        seq: 1,
        tool: 'list_files',
        status: 'ok',
        durationMs: expect.any(Number),
        summary: expect.stringContaining('workspace'),
      },
    ])
  })
})

describe('integration', () => {
  it('a minimal run writes a deliverable through the filesystem tool', async () => {
    const run = await startRun()
    await run.tool('write_file')?.call({ path: 'deliverables/out.md', content: 'done' })
    const summary = await run.close()
    expect(fileText(run, 'deliverables/out.md')).toBe('done')
    expect(summary).toMatchObject({ status: 'completed', calls: 1, byStatus: { ok: 1 } })
  })

  it('a tool rejection writes an event and an error log', async () => {
    const run = await startRun({
      config: { permissions: { rules: [{ id: 'no-write', effect: 'deny', permission: 'filesystemWrite' }] } },
    })
    await run.call('write_file', { path: 'workspace/a.txt', content: 'x' })
    const denied = lines(run, 'events.jsonl').find(({ type }) => type === 'tool.call.denied')
    expect(denied?.data).toMatchObject({
      tool: 'write_file',
      layer: 'config',
      rule: 'no-write',
      resource: 'workspace/a.txt',
    })
    expect(lines(run, 'logs/errors.jsonl')).toMatchObject([{ code: 'permission_denied', tool: 'write_file' }])
  })

  it('the candidate memory file is generated when the memory tool writes', async () => {
    const run = await startRun()
    expect(existsSync(join(run.dir, 'archive/candidate-memory.jsonl'))).toBe(false)
    await run.tool('write_memory')?.call({ content: 'A fact.' })
    expect(existsSync(join(run.dir, 'archive/candidate-memory.jsonl'))).toBe(true)
    expect((await run.close()).memory.waiting).toBe(1)
  })
})

describe('acceptance', () => {
  it('1. tools are built from config as definitions', async () => {
    const run = await startRun({ config: { tools: { disable: ['edit_file'] } } })
    const built = buildToolsets(run.context, run.context.skills, run.context.memory, run.policy)
    expect(built.map(({ name }) => name)).toEqual(BUILT_IN_TOOLS.map(({ name }) => name))
    expect(run.tool('edit_file')).toBeUndefined()
    expect(run.tools.every((tool) => tool.jsonSchema().type === 'object')).toBe(true)
  })

  it('2. filesystem tools are guarded by the sandbox', async () => {
    const run = await startRun()
    const outside = '../'.repeat(20)
    const calls = [
      run.call('read_file', { path: `${outside}etc/passwd` }),
      run.call('write_file', { path: `${outside}tmp/x`, content: 'x' }),
      run.call('edit_file', { path: `${outside}etc/passwd`, edits: [{ oldText: 'root', newText: 'x' }] }),
      run.call('list_files', { path: `${outside}etc` }),
      run.call('grep_files', { pattern: 'root', path: `${outside}etc` }),
    ]
    for (const result of await Promise.all(calls)) expect(result.error?.code).toBe('path_outside')
  })

  it('3. memory tools support disabled, candidate and external', async () => {
    const stored: string[] = []
    const memory = {
      recallMemory: async () => [],
      writeMemory: async (content: string) => {
        stored.push(content)
        return { status: 'written' as const, id: 'm1', error: null }
      },
    }
    const statuses = []
    for (const writeMode of ['disabled', 'candidate', 'external'] as const) {
      const run = await startRun({ memory, config: { memory: { writeMode } } })
      statuses.push((await run.call('write_memory', { content: 'A fact.' })).data?.status)
    }
    expect(statuses).toEqual(['blocked', 'candidate', 'written'])
    expect(stored).toEqual(['A fact.'])
  })

  it('4. permission policy merge rules are testable', () => {
    const policy = buildEffectivePolicy({
      config: { network: true, rules: [{ effect: 'deny', permission: 'network', tools: ['fetch_page'] }] },
      skills: [{ id: 's', permissions: ['shell'] }],
      sandbox: { mounts: [{ name: 'workspace', mode: 'rw', ignoresCase: false }] },
    })
    expect(policy).toMatchObject({
      filesystemRead: true,
      network: true,
      shell: false,
      filesystemDelete: false,
    })
    expect(policy.check({ permission: 'network', tool: 'fetch_page' }).decision).toBe('deny')
    expect(policy.check({ permission: 'network', tool: 'other' }).decision).toBe('allow')
  })

  it('5. tool calls are completely recorded', async () => {
    const run = await startRun()
    await Promise.all([
      run.call('list_files', {}),
      run.call('read_file', { path: 'workspace/none.txt' }),
      run.call('read_file', { path: 5 }),
      run.call('nope', {}),
      run.call('write_file', { path: '/etc/x', content: 'x' }),
    ])
    const records = lines(run, 'logs/tools.jsonl')
    expect(records.map(({ status }) => status).sort()).toEqual([
      'denied',
      'error',
      'invalid',
      'invalid',
      'ok',
    ])
    const events = lines(run, 'events.jsonl')
    for (const { callId } of records) {
      const types = events.filter((event) => event.callId === callId).map(({ type }) => type)
      expect(types[0]).toBe('tool.call.start')
      expect(types.filter((type) => type === 'tool.call.end')).toHaveLength(1)
    }
  })

  it('6. large outputs do not go into logs and events directly', async () => {
    const inputs = folder({ 'many.log': `needle ${'x'.repeat(300)}\n`.repeat(400) })
    const run = await startRun({ mounts: [{ name: 'inputs', dir: inputs }] })
    const result = await run.call('grep_files', { pattern: 'needle', path: 'inputs' })
    expect(result.artifacts).toHaveLength(1)
    const back = await run.call('read_file', { path: result.artifacts[0] })
    expect(back.data?.text).toContain('needle')
    for (const file of ['logs/tools.jsonl', 'events.jsonl', 'logs/errors.jsonl']) {
      if (existsSync(join(run.dir, file))) expect(fileText(run, file)).not.toContain('needle')
    }
  })

  it('7. the general tools do not depend on any framework', async () => {
    const { readFile, readdir } = await import('node:fs/promises')
    const source = new URL('../../tools-core/src/', import.meta.url)
    for (const file of await readdir(source, { recursive: true })) {
      if (!file.endsWith('.ts')) continue
      expect(await readFile(new URL(file, source), 'utf8')).not.toMatch(
        /from '(ai|@ai-sdk\/|langchain|@langchain\/|@mastra\/|openai)/,
      )
    }
  })
})
