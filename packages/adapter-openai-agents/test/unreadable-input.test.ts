import { openaiAgentsTools } from '@kgent/adapter-openai-agents'
import { RunContext } from '@openai/agents'
import { describe, expect, it } from 'vitest'
import { createFixture } from './fixture.ts'
import { agentOf, pendingIn, play, resultsIn, WAYS } from './ways.ts'

const BROKEN = ['{"path":"a.txt"', '["a.txt"]', '"{\\"path\\":\\"a.txt\\"}"', 'null', '7', '']
const asking = { effects: { filesystemRead: 'ask' as const } }
const turnsOf = (input: string) => [{ calls: [{ id: 'c1', name: 'read_note', input }] }, { text: 'Sorry.' }]

describe.each(WAYS)('%s', (way) => {
  it.each(BROKEN)('asks nobody about %j: the core refuses it and records that', async (input) => {
    for (const effects of [{}, asking.effects]) {
      const { toolset, ran, records } = createFixture({ effects })
      const started = agentOf(openaiAgentsTools(toolset.tools), turnsOf(input))
      const played = await play(started, 'Do it.', { way, run: toolset })
      // The SDK hides what a tool says about input that it could not parse, unless it was told to show tool data.
      expect(resultsIn(played.history)).toEqual([
        { id: 'c1', text: expect.stringMatching(/invalid_input|redacted/) },
      ])
      expect(played.text).toBe('Sorry.')
      expect(records).toMatchObject([{ status: 'invalid', toolCallId: 'c1', tool: 'read_note' }])
      expect(ran).toEqual([])
    }
  })

  it.each(BROKEN)('runs nothing for %j without the runner’s options, even when approved', async (input) => {
    const { toolset, ran } = createFixture()
    const started = agentOf(openaiAgentsTools(toolset.tools), turnsOf(input))
    const options = { way, run: toolset, config: {} }
    const { state } = await play(started, 'Do it.', options)
    expect(pendingIn(state)).toEqual(['c1'])
    for (const item of state.getInterruptions()) state.approve(item)
    const played = await play(started, state, options)
    expect(resultsIn(played.history)).toHaveLength(1)
    expect(played.text).toBe('Sorry.')
    expect(ran).toEqual([])
  })

  it('leaves input that is no JSON to the SDK where the host approves', async () => {
    const { toolset, ran, records } = createFixture()
    const started = agentOf(openaiAgentsTools(toolset.tools, { approval: 'host' }), turnsOf('{'))
    const played = await play(started, 'Do it.', { way, run: toolset })
    expect(resultsIn(played.history)[0]?.text).toContain('valid JSON')
    expect([ran, records]).toEqual([[], []])
  })
})

it('refuses broken input of a tool that is invoked by hand', async () => {
  const { toolset, ran, records } = createFixture()
  const tool = openaiAgentsTools(toolset.tools).find(({ name }) => name === 'read_note')
  const item = { type: 'function_call', callId: 'c1', name: 'read_note', arguments: '{' } as const
  await expect(tool?.invoke(new RunContext({}), '{', { toolCall: item })).resolves.toContain('invalid_input')
  await expect(tool?.invoke(new RunContext({}), '{')).resolves.toContain('invalid_input')
  expect(records).toMatchObject([{ toolCallId: 'c1' }, { toolCallId: null }])
  expect(ran).toEqual([])
})
