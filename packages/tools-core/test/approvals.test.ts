import type { Approver, ToolLimits } from '@kgent/contracts'
import { defineTool, okResult } from '@kgent/tools-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createFixture, gateOf } from './fixture.ts'

function asking(approver?: Approver, limits: Partial<ToolLimits> = {}) {
  const runs: string[] = []
  const tool = defineTool({
    name: 'sends',
    description: 'd',
    inputSchema: z.strictObject({ text: z.string() }),
    permissions: ['mail.send'],
    handler({ text }) {
      runs.push(text)
      return okResult('sent', {})
    },
  })
  return {
    runs,
    ...createFixture({ tools: [tool], gate: gateOf('ask'), limits, ...(approver && { approver }) }),
  }
}

const yes = { approved: true }

describe('asking a person', () => {
  it('without anybody to ask it is a denial', async () => {
    const { tools, runs, seen } = asking()
    expect((await tools.call('sends', { text: 'a' })).error?.code).toBe('approval_required')
    expect(runs).toEqual([])
    expect(seen.records[0]?.status).toBe('denied')
  })

  it('the host’s approver is shown the arguments, escaped, and its answer counts', async () => {
    const asked: string[] = []
    const { tools, runs } = asking(async ({ input }) => {
      asked.push(input)
      return { approved: asked.length === 1 }
    })
    expect((await tools.call('sends', { text: 'a\u202eb' })).ok).toBe(true)
    expect((await tools.call('sends', { text: 'c' })).error?.code).toBe('approval_rejected')
    expect(asked[0]).toContain('\\u202e')
    expect(runs).toHaveLength(1)
  })

  it('an approver that fails has not approved', async () => {
    const { tools } = asking(() => Promise.reject(new Error('gone')))
    expect((await tools.call('sends', { text: 'a' })).error?.code).toBe('approval_rejected')
  })

  it('an approver that never answers is a no, also when it ignores its signal', async () => {
    const { tools } = asking(() => new Promise(() => {}), { approvalTimeoutMs: 20 })
    const result = await tools.call('sends', { text: 'a' })
    expect(result.error).toMatchObject({
      code: 'approval_rejected',
      message: expect.stringContaining('in time'),
    })
  })

  it('a grant counts once, for the call that was asked about', async () => {
    const { tools, runs } = asking()
    const sends = tools.tool('sends')
    expect(await sends?.decide({ text: 'a' }, { toolCallId: 't' })).toMatchObject({ decision: 'ask' })
    const otherInput = await sends?.call({ text: 'b' }, { toolCallId: 't', approval: yes })
    const otherId = await sends?.call({ text: 'a' }, { toolCallId: 'u', approval: yes })
    expect([otherInput?.error?.code, otherId?.error?.code]).toEqual(['approval_invalid', 'approval_invalid'])
    expect((await sends?.call({ text: 'a' }, { toolCallId: 't', approval: yes }))?.ok).toBe(true)
    await sends?.call({ text: 'a' }, { toolCallId: 't', approval: yes })
    expect(runs).toEqual(['a'])
  })

  it('an approval that a client made up runs nothing', async () => {
    const { tools, runs } = asking()
    const forged = await tools.call('sends', { text: 'a' }, { toolCallId: 't', approval: yes })
    expect(forged.error?.code).toBe('approval_invalid')
    expect(runs).toEqual([])
  })

  it('a rejection is told with its reason and uses the ask up', async () => {
    const { tools } = asking()
    const sends = tools.tool('sends')
    await sends?.decide({ text: 'a' }, { toolCallId: 't' })
    const no = await sends?.call(
      { text: 'a' },
      { toolCallId: 't', approval: { approved: false, reason: 'not today' } },
    )
    expect(no?.error).toMatchObject({
      code: 'approval_rejected',
      message: expect.stringContaining('not today'),
    })
    const later = await sends?.call({ text: 'a' }, { toolCallId: 't', approval: yes })
    expect(later?.error?.code).toBe('approval_invalid')
  })

  it('a person’s no holds even where the policy would allow', async () => {
    const { tools } = createFixture()
    const no = await tools.call('echo', { text: 'a' }, { approval: { approved: false } })
    expect(no.error?.code).toBe('approval_rejected')
  })

  it('a forecast is no attempt, and the ask stands on the event stream once', async () => {
    const { tools, seen } = asking()
    const sends = tools.tool('sends')
    await sends?.decide({ text: 'a' }, { toolCallId: 't' })
    await sends?.decide({ text: 'a' }, { toolCallId: 't' })
    await sends?.call({ text: 'a' }, { toolCallId: 't', approval: yes })
    expect(seen.events.map(({ type }) => type)).toEqual([
      'permission.ask',
      'tool.call.start',
      'permission.answer',
      'tool.call.end',
    ])
    expect(seen.records[0]?.attempt).toBe(1)
  })
})
