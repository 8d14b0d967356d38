import { openaiAgentsTools } from '@kgent/adapter-openai-agents'
import { RunContext } from '@openai/agents'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFixture } from '../../../test/adapters/notes-fixture.ts'
import { agentOf, pendingIn, play, resultsIn, WAYS } from './ways.ts'

const BROKEN = ['{"path":"a.txt"', '["a.txt"]', '"{\\"path\\":\\"a.txt\\"}"', 'null', '7', '']
const asking = { effects: { filesystemRead: 'ask' as const } }
const turnsOf = (input: string) => [{ calls: [{ id: 'c1', name: 'read_note', input }] }, { text: 'Sorry.' }]

afterEach(() => {
  vi.unstubAllEnvs()
})

describe.each(WAYS)('%s', (way) => {
  it.each(BROKEN)('asks nobody about %j: the core refuses it and records that', async (input) => {
    vi.stubEnv('OPENAI_AGENTS_DONT_LOG_TOOL_DATA', '0')
    for (const effects of [{}, asking.effects]) {
      const { toolset, ran, records } = createFixture({ effects })
      const started = agentOf(openaiAgentsTools(toolset.tools), turnsOf(input))
      const played = await play(started, 'Do it.', { way, run: toolset })
      expect(resultsIn(played.history)).toEqual([
        { id: 'c1', text: expect.stringMatching(/invalid_input.*expected an object with the fields path/s) },
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

  it('never takes input that the SDK hides, as it does by default, for a call without arguments', async () => {
    const { toolset, records } = createFixture()
    const turns = [{ calls: [{ id: 'c1', name: 'count_steps', input: '{' }] }, { text: 'Sorry.' }]
    const played = await play(agentOf(openaiAgentsTools(toolset.tools), turns), 'Do it.', {
      way,
      run: toolset,
    })
    expect(resultsIn(played.history)[0]?.text).toBe('Tool execution failed. Error details are redacted.')
    expect(played.text).toBe('Sorry.')
    expect(records).toMatchObject([{ status: 'invalid', toolCallId: 'c1' }])
  })

  it('leaves input that is no JSON to the SDK where the host approves', async () => {
    const { toolset, ran, records } = createFixture()
    const started = agentOf(openaiAgentsTools(toolset.tools, { approval: 'host' }), turnsOf('{'))
    const played = await play(started, 'Do it.', { way, run: toolset })
    expect(resultsIn(played.history)[0]?.text).toContain('valid JSON')
    expect([ran, records]).toEqual([[], []])
  })
})

it.each([
  { hidden: '1', toolCallId: null },
  { hidden: '0', toolCallId: 'c1' },
])(
  'refuses broken input of a tool that is invoked by hand (hidden: $hidden)',
  async ({ hidden, toolCallId }) => {
    vi.stubEnv('OPENAI_AGENTS_DONT_LOG_TOOL_DATA', hidden)
    const { toolset, ran, records } = createFixture()
    const tool = openaiAgentsTools(toolset.tools).find(({ name }) => name === 'read_note')
    const item = { type: 'function_call', callId: 'c1', name: 'read_note', arguments: '{' } as const
    const text = await tool?.invoke(new RunContext({}), '{', { toolCall: item })
    expect(text).toContain('invalid_input')
    expect(records).toMatchObject([{ toolCallId, status: 'invalid' }])
    expect(ran).toEqual([])
  },
)
