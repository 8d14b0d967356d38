import type { ApprovalAnswer, ErrorInfo, ToolResult } from '@kgent/contracts'
import { type CallOptions, defineTool, okResult, ToolError } from '@kgent/tools-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createFixture, gateOf } from './fixture.ts'

/** A tool with an effect that can be counted, and whatever end a test wants. */
function acting(end: () => unknown = () => okResult('did it', {})) {
  const runs: number[] = []
  const tool = defineTool({
    name: 'acts',
    description: 'Has an effect.',
    inputSchema: z.strictObject({}),
    permissions: ['mail.send'],
    handler() {
      runs.push(runs.length)
      return end() as ToolResult
    },
  })
  return { tool, runs }
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

describe('a handler that ran is not run again, however it ended', () => {
  const ends: Record<string, () => unknown> = {
    'artifacts that are no list': () => ({ ok: true, summary: 's', data: {}, artifacts: 7, error: null }),
    'a throwing getter': () => ({
      ok: true,
      summary: 's',
      get data() {
        throw new Error('no')
      },
    }),
    'an error without a message': () => ({ ok: false, summary: 's', data: null, error: { code: 'busy' } }),
    'an error whose code is a number': () => ({
      ok: false,
      summary: 's',
      data: null,
      error: { code: 4, message: 'm' },
    }),
    'an error whose hint is an object': () => ({
      ok: false,
      summary: 's',
      data: null,
      error: { code: 'busy', message: 'm', hint: {} },
    }),
    'a revoked proxy': revoked,
    'a thrown revoked proxy': () => {
      throw revoked()
    },
    nothing: () => undefined,
  }
  it.each(Object.keys(ends))('%s', async (name) => {
    const { tool, runs } = acting(ends[name])
    const { tools, seen } = createFixture({ tools: [tool] })
    const first = await tools.call('acts', {}, { toolCallId: 't' })
    const again = await tools.call('acts', {}, { toolCallId: 't' })
    expect(first.error?.code).toBe('internal')
    expect(again).toEqual(first)
    expect(runs).toHaveLength(1)
    expect(seen.records).toHaveLength(2)
  })

  it('an error code that nobody knows is the tool’s own failure', async () => {
    const error = { code: 'E_OWN', message: 'The mail server is away.' } as unknown as ErrorInfo
    const { tool } = acting(() => ({ ok: false, summary: 's', data: null, artifacts: [], error }))
    const { tools } = createFixture({ tools: [tool] })
    expect((await tools.call('acts', {})).error).toMatchObject({
      code: 'tool_failed',
      message: 'The mail server is away.',
    })
  })

  it('details and artifact names have bounds', async () => {
    const { tool } = acting(() => {
      throw new ToolError('m', { details: { big: 'x'.repeat(100_000) } })
    })
    const { tools } = createFixture({ tools: [tool] })
    expect(JSON.stringify(await tools.call('acts', {})).length).toBeLessThan(5_000)

    const many = Array.from({ length: 5_000 }, (_, index) => `artifacts/${index}`)
    const listing = createFixture({ tools: [acting(() => okResult('s', {}, many)).tool] })
    expect((await listing.tools.call('acts', {})).artifacts).toHaveLength(100)
  })
})

describe('a call that was cancelled before it began', () => {
  it('has run nothing, says so, and may be made again', async () => {
    const { tool, runs } = acting()
    const { tools } = createFixture({ tools: [tool] })
    const cancelled = await tools.call('acts', {}, { toolCallId: 't', signal: AbortSignal.abort() })
    expect(cancelled.error).toMatchObject({
      code: 'aborted',
      message: expect.stringContaining('Nothing was run'),
    })
    expect((await tools.call('acts', {}, { toolCallId: 't' })).ok).toBe(true)
    expect(runs).toHaveLength(1)
  })

  it('asks nobody when it was cancelled already', async () => {
    const asked: string[] = []
    const { tools } = createFixture({
      tools: [acting().tool],
      gate: gateOf('ask'),
      approver: async ({ tool }) => {
        asked.push(tool)
        return { approved: true }
      },
    })
    const result = await tools.call('acts', {}, { signal: AbortSignal.abort() })
    expect([result.error?.code, asked]).toEqual(['aborted', []])
  })

  it('while a person is asked is not recorded as a person’s no', async () => {
    const controller = new AbortController()
    const { tools, seen } = createFixture({
      tools: [acting().tool],
      gate: gateOf('ask'),
      approver: () => {
        controller.abort()
        return new Promise(() => {})
      },
    })
    const result = await tools.call('acts', {}, { signal: controller.signal })
    expect(result.error?.code).toBe('aborted')
    expect(seen.records[0]?.status).toBe('aborted')
  })
})

describe('what a framework hands over is read once and trusted little', () => {
  it.each([{}, { approved: 'yes' }, { approved: 1 }, { approved: undefined }, 'yes', true])(
    'an approval of %j is a no',
    async (approval) => {
      const { tool, runs } = acting()
      const { tools } = createFixture({ tools: [tool], gate: gateOf('ask') })
      await tools.tool('acts')?.decide({}, { toolCallId: 't' })
      const options = { toolCallId: 't', approval: approval as unknown as ApprovalAnswer }
      expect((await tools.call('acts', {}, options)).ok).toBe(false)
      expect(runs).toEqual([])
    },
  )

  it('an approver whose reason is no text has still answered', async () => {
    const answer = { approved: false, reason: { toString: null } } as unknown as ApprovalAnswer
    const { tools } = createFixture({
      tools: [acting().tool],
      gate: gateOf('ask'),
      approver: async () => answer,
    })
    expect((await tools.call('acts', {})).error?.code).toBe('approval_rejected')
  })

  const throwing = {
    get toolCallId(): string {
      throw new Error('no')
    },
    get signal(): AbortSignal {
      throw new Error('no')
    },
  }
  const odd: [string, unknown][] = [
    ['null', null],
    ['text', 'options'],
    ['throwing getters', throwing],
    ['a signal that is none', { signal: {} }],
    ['a listener that is none', { onProgress: 7 }],
  ]
  it.each(odd)('options that are %s do no harm', async (_name, options) => {
    const { tools, seen } = createFixture({ tools: [acting().tool] })
    expect((await tools.call('acts', {}, options as CallOptions)).ok).toBe(true)
    expect(seen.records).toHaveLength(1)
  })

  it('an id of null is no id, and long ids that begin alike stay two', async () => {
    const { tool, runs } = acting()
    const { tools, seen } = createFixture({ tools: [tool] })
    const nothing = { toolCallId: null as unknown as string }
    await tools.call('acts', {}, nothing)
    await tools.call('acts', {}, nothing)
    const long = 'x'.repeat(1_000)
    await tools.call('acts', {}, { toolCallId: `${long}a` })
    await tools.call('acts', {}, { toolCallId: `${long}b` })
    expect(runs).toHaveLength(4)
    const ids = seen.records.map(({ toolCallId }) => toolCallId)
    expect(ids.slice(0, 2)).toEqual([null, null])
    expect(new Set(ids.slice(2)).size).toBe(2)
    expect(Math.max(...ids.slice(2).map((id) => id?.length ?? 0))).toBeLessThanOrEqual(256)
  })

  it('field names that are no names are not repeated', async () => {
    const { tools } = createFixture({ tools: [acting().tool] })
    const { error } = await tools.call('acts', { 'my password is hunter2': 1 })
    expect(error?.message).not.toContain('hunter2')
  })
})
