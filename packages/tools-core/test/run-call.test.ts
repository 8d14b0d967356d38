import { errorInfo } from '@kgent/contracts'
import { defineTool, okResult, ToolError } from '@kgent/tools-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createFixture, echoTool, gateOf } from './fixture.ts'

const nothing = z.strictObject({})

function tool(name: string, handler: Parameters<typeof defineTool>[0]['handler'], annotations = {}) {
  return defineTool({ name, description: name, inputSchema: nothing, permissions: [], annotations, handler })
}

describe('the life of a call', () => {
  it('a tool call record contains duration, status and summary', async () => {
    const { tools, seen } = createFixture()
    const result = await tools.call('echo', { text: 'a', times: 2 }, { toolCallId: 't1' })
    expect(result).toMatchObject({ ok: true, data: { text: 'aa' } })
    const [record] = seen.records
    expect(record).toMatchObject({
      tool: 'echo',
      toolCallId: 't1',
      attempt: 1,
      status: 'ok',
      summary: 'Echoed',
      error: null,
    })
    expect(record?.durationMs).toBeGreaterThanOrEqual(0)
    expect(record?.input.shape).toEqual({ text: 'string(1)', times: 'number' })
  })

  it('defaults are applied and null on an optional field is absent', async () => {
    const { tools } = createFixture()
    expect((await tools.call('echo', { text: 'a', times: null, note: null })).data).toEqual({
      text: 'a',
      note: 'absent',
    })
  })

  it('every way to end gives exactly one start, one record and one end', async () => {
    const never = tool('never', () => new Promise(() => {}))
    const { tools, seen } = createFixture({
      tools: [
        echoTool,
        never,
        tool('throws', () => {
          throw new Error('secret detail in /home/someone/file.txt')
        }),
        tool('speaks', () => {
          throw new ToolError('The record is locked; try again after lunch.')
        }),
        tool('odd', () => 'no result' as never),
      ],
      context: { limits: { maxInlineBytes: 2_000, callTimeoutMs: 30 } },
    })
    const aborted = AbortSignal.abort()
    const results = await Promise.all([
      tools.call('echo', { text: 'x' }),
      tools.call('echo', { text: 5 }),
      tools.call('nope', {}),
      tools.call('throws', {}),
      tools.call('speaks', {}),
      tools.call('odd', {}),
      tools.call('never', {}),
      tools.call('never', {}, { signal: aborted }),
    ])
    const codes = [
      null,
      'invalid_input',
      'unknown_tool',
      'internal',
      'tool_failed',
      'internal',
      'timeout',
      'aborted',
    ]
    expect(results.map(({ error }) => error?.code ?? null)).toEqual(codes)
    const ids = new Set(seen.records.map(({ callId }) => callId))
    expect(ids.size).toBe(8)
    for (const id of ids) {
      const types = seen.events.filter(({ callId }) => callId === id).map(({ type }) => type)
      expect(types.filter((type) => type === 'tool.call.start')).toHaveLength(1)
      expect(types.filter((type) => type === 'tool.call.end')).toHaveLength(1)
    }
    expect(seen.records.map(({ status }) => status).sort()).toEqual([
      'aborted',
      'error',
      'error',
      'error',
      'invalid',
      'invalid',
      'ok',
      'timeout',
    ])
  })

  it('an unexpected exception reaches the model as a reference only, and the host without folders', async () => {
    const { tools, seen } = createFixture({
      tools: [
        tool('throws', () => {
          throw new Error("ENOENT: no such file, open '/home/someone/private/file.txt'")
        }),
      ],
    })
    const result = await tools.call('throws', {})
    expect(JSON.stringify(result)).not.toMatch(/ENOENT|someone|file\.txt|\bat \S+:\d/)
    const reference = result.error?.details?.reference
    expect(seen.errors[0]).toMatchObject({ code: 'internal', reference })
    expect(seen.errors[0]?.thrown).toContain('ENOENT')
    expect(seen.errors[0]?.thrown).not.toContain('someone')
  })

  it('an unknown tool is answered with the real names, whatever the name', async () => {
    const { tools } = createFixture()
    for (const name of ['constructor', '__proto__', 'toString', 'Echo']) {
      const result = await tools.call(name, {})
      expect(result.error).toMatchObject({ code: 'unknown_tool', details: { tools: ['echo'] } })
    }
    expect((await tools.call('Echo', {})).error?.hint).toBe('Did you mean echo?')
    expect((await tools.call('constructor', {})).error?.hint).toBeUndefined()
  })

  it('a timeout says that the effect may still happen, and aborts the handler’s signal', async () => {
    let signal: AbortSignal | undefined
    const { tools } = createFixture({
      tools: [tool('slow', (_input, context) => new Promise(() => (signal = context.signal)))],
      context: { limits: { maxInlineBytes: 1_000, callTimeoutMs: 20 } },
    })
    const result = await tools.call('slow', {})
    expect(result.error?.message).toContain('effect may still happen')
    expect(signal?.aborted).toBe(true)
  })

  it('closing aborts what runs and waits for its record', async () => {
    const { tools, seen } = createFixture({ tools: [tool('waits', () => new Promise(() => {}))] })
    const work = tools.call('waits', {})
    await tools.close()
    expect((await work).error?.code).toBe('aborted')
    expect((await tools.call('waits', {})).error?.code).toBe('aborted')
    expect(seen.records).toHaveLength(1)
  })

  it('a denied call never reaches its handler, and rejection writes event and error log', async () => {
    let ran = false
    const guarded = defineTool({
      name: 'guarded',
      description: 'Needs a permission.',
      inputSchema: nothing,
      permissions: ['crm.write'],
      handler() {
        ran = true
        return okResult('ran', {})
      },
    })
    const { tools, seen } = createFixture({ tools: [guarded], gate: gateOf('deny') })
    const result = await tools.call('guarded', {})
    expect(ran).toBe(false)
    expect(result.error).toMatchObject({
      code: 'permission_denied',
      details: { layer: 'config', rule: 'test-rule' },
    })
    expect(seen.events.map(({ type }) => type)).toContain('tool.call.denied')
    expect(seen.errors[0]?.code).toBe('permission_denied')
    expect(seen.records[0]).toMatchObject({
      status: 'denied',
      decisions: [{ permission: 'crm.write', decision: 'deny' }],
    })
  })

  it('a gate or a permission function that throws has not allowed anything', async () => {
    const needs = (permissions: Parameters<typeof defineTool>[0]['permissions']) =>
      defineTool({
        name: 'needs',
        description: 'd',
        inputSchema: nothing,
        permissions,
        handler: () => okResult('ran', {}),
      })
    const broken = () => {
      throw new Error('no opinion')
    }
    const withGate = createFixture({ tools: [needs(['crm.write'])], gate: broken })
    expect((await withGate.tools.call('needs', {})).error?.code).toBe('permission_denied')
    const withFunction = createFixture({ tools: [needs(broken)] })
    expect((await withFunction.tools.call('needs', {})).error?.code).toBe('internal')
  })

  it('the policy sees the resolved path, and what leads outside is denied by the sandbox', async () => {
    const reads = defineTool({
      name: 'reads',
      description: 'd',
      inputSchema: z.strictObject({ path: z.string() }),
      permissions: ({ path }) => [{ permission: 'filesystemRead', path }],
      handler: () => okResult('ran', {}),
    })
    const { tools, seen } = createFixture({ tools: [reads] })
    await tools.call('reads', { path: 'workspace/link/a.txt' })
    expect(seen.records[0]?.decisions[0]?.resource).toBe('workspace/target/a.txt')
    const outside = await tools.call('reads', { path: '../../etc/passwd' })
    expect(outside.error?.code).toBe('path_outside')
    expect(seen.records[1]).toMatchObject({
      status: 'denied',
      decisions: [{ layer: 'sandbox', decision: 'deny' }],
    })
  })

  it('calls are refused while a required log cannot be written', async () => {
    const failure = errorInfo('disk_full', 'No room.')
    const required = createFixture({ log: { failure, required: true } })
    expect((await required.tools.call('echo', { text: 'a' })).error?.code).toBe('log_unavailable')
    const optional = createFixture({ log: { failure, required: false } })
    expect((await optional.tools.call('echo', { text: 'a' })).ok).toBe(true)
  })

  it('progress is an event and reaches the caller, whose faults do no harm', async () => {
    const works = tool('works', (_input, context) => {
      context.progress({ message: 'half\nway', data: { done: 1 } })
      return okResult('done', {})
    })
    const { tools, seen } = createFixture({ tools: [works] })
    const said: string[] = []
    await tools.call('works', {}, { onProgress: ({ message }) => said.push(message) })
    const faulty = await tools.call(
      'works',
      {},
      {
        onProgress: () => {
          throw new Error('listener')
        },
      },
    )
    expect(said).toEqual(['half way'])
    expect(faulty.ok).toBe(true)
    expect(seen.events.filter(({ type }) => type === 'tool.call.progress')).toHaveLength(2)
  })

  it('many calls at once are no reason for a warning', async () => {
    const warnings: unknown[] = []
    const listen = (warning: unknown) => warnings.push(warning)
    process.on('warning', listen)
    const { tools } = createFixture()
    await Promise.all(Array.from({ length: 50 }, () => tools.call('echo', { text: 'a' })))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', listen)
    expect(warnings).toEqual([])
  })
})
