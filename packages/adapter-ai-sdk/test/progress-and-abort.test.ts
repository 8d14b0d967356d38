import { aiSdkTools } from '@kgent/adapter-ai-sdk'
import { describe, expect, it, vi } from 'vitest'
import { createFixture } from '../../../test/adapters/notes-fixture.ts'
import { SDKS } from './sdk.ts'

describe.each(SDKS)('AI SDK $major', (sdk) => {
  it.each(['streamText', 'agent.stream'] as const)(
    'shows progress as preliminary results in %s',
    async (way) => {
      const { toolset } = createFixture()
      const script = [{ calls: [{ id: 'c1', name: 'count_steps', input: '{}' }] }, { text: 'Done.' }]
      const answer = await sdk.run({ script, way, tools: aiSdkTools(toolset.tools) })
      const results = answer.parts.filter(({ type }) => type === 'tool-result')
      const unfinished = results.filter(({ output }) => (output as { ok: unknown }).ok === null)
      expect(unfinished.map(({ output }) => (output as { summary: string }).summary)).toEqual([
        'Step 1 of 3',
        'Step 2 of 3',
        'Step 3 of 3',
      ])
      expect(unfinished.every(({ preliminary }) => preliminary === true)).toBe(true)
      expect(results.at(-1)).toMatchObject({ toolCallId: 'c1', output: { ok: true, data: { steps: 3 } } })
      expect(results.at(-1)?.preliminary).not.toBe(true)
      expect(answer.read('c1')).toEqual({ type: 'text', value: 'Counted\n{"steps":3}' })
    },
  )

  it.each(['generateText', 'agent.generate'] as const)('gives only the last result in %s', async (way) => {
    const { toolset } = createFixture()
    const script = [{ calls: [{ id: 'c1', name: 'count_steps', input: '{}' }] }, { text: 'Done.' }]
    const answer = await sdk.run({ script, way, tools: aiSdkTools(toolset.tools) })
    expect(answer.read('c1')).toEqual({ type: 'text', value: 'Counted\n{"steps":3}' })
  })

  it.each(['generateText', 'streamText', 'agent.generate', 'agent.stream'] as const)(
    'cancels a running call when %s is aborted',
    async (way) => {
      const { toolset, ran, records } = createFixture()
      const controller = new AbortController()
      const script = [{ calls: [{ id: 'c1', name: 'wait_forever', input: '{}' }] }, { text: 'Done.' }]
      const watch = setInterval(() => ran.includes('wait_forever started') && controller.abort(), 1)
      const run = sdk.run({ script, way, tools: aiSdkTools(toolset.tools), abortSignal: controller.signal })
      await run.catch(() => {})
      clearInterval(watch)
      await vi.waitFor(() => expect(records).toHaveLength(1))
      expect(ran).toEqual(['wait_forever started', 'wait_forever saw the abort'])
      expect(records).toMatchObject([{ toolCallId: 'c1', status: 'aborted' }])
    },
  )
})
