import { defineTool, okResult } from '@kgent/tools-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createFixture } from './fixture.ts'

function counting(readOnly: boolean) {
  const runs: string[] = []
  const tool = defineTool({
    name: 'counts',
    description: 'd',
    inputSchema: z.strictObject({ text: z.string() }),
    permissions: [],
    annotations: { readOnly },
    async handler({ text }) {
      runs.push(text)
      await Promise.resolve()
      return okResult('ran', { run: runs.length })
    },
  })
  return { runs, ...createFixture({ tools: [tool] }) }
}

describe('calls that come again', () => {
  it('a write that comes again is answered from the first result and numbered', async () => {
    const { tools, runs, seen } = counting(false)
    const first = await tools.call('counts', { text: 'a' }, { toolCallId: 't' })
    const again = await tools.call('counts', { text: 'a' }, { toolCallId: 't' })
    expect(again).toEqual(first)
    expect(runs).toEqual(['a'])
    expect(seen.records.map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(seen.records[1]?.replayOf).toBe(seen.records[0]?.callId)
    expect(seen.events.filter(({ type }) => type === 'tool.call.end')).toHaveLength(2)
  })

  it('the same id with another input is another call', async () => {
    const { tools, runs } = counting(false)
    await tools.call('counts', { text: 'a' }, { toolCallId: 't' })
    await tools.call('counts', { text: 'b' }, { toolCallId: 't' })
    expect(runs).toEqual(['a', 'b'])
  })

  it('a read-only call runs anew, unless its twin is in flight or it is flagged as a replay', async () => {
    const { tools, runs } = counting(true)
    await Promise.all([1, 2].map(() => tools.call('counts', { text: 'a' }, { toolCallId: 't' })))
    expect(runs).toHaveLength(1)
    await tools.call('counts', { text: 'a' }, { toolCallId: 't' })
    expect(runs).toHaveLength(2)
    await tools.call('counts', { text: 'a' }, { toolCallId: 't', replay: true })
    expect(runs).toHaveLength(2)
  })

  it('calls without an id are never taken for repeats', async () => {
    const { tools, runs } = counting(false)
    await Promise.all([1, 2, 3].map(() => tools.call('counts', { text: 'a' })))
    expect(runs).toHaveLength(3)
  })
})
