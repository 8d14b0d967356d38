import { openaiAgentsTools, runnerConfig } from '@kgent/adapter-openai-agents'
import { RunContext } from '@openai/agents'
import { describe, expect, it, vi } from 'vitest'
import { createFixture } from '../../../test/adapters/notes-fixture.ts'
import { agentOf, play, resultsIn, WAYS } from './ways.ts'

const WRITE = { id: 'c1', name: 'write_note', input: '{"path":"a.txt","text":"x"}' }

describe.each(WAYS)('%s', (way) => {
  it('gives the model failures as text, and goes on', async () => {
    const { toolset } = createFixture({ effects: { filesystemWrite: 'deny' } })
    const crash = { id: 'c2', name: 'crash', input: '{}' }
    const started = agentOf(openaiAgentsTools(toolset.tools), [{ calls: [WRITE, crash] }, { text: 'Sorry.' }])
    const played = await play(started, 'Do it.', { way, run: toolset })
    const [denied, crashed] = resultsIn(played.history).map(({ text }) => text)
    expect(denied).toMatch(/^Failed \(permission_denied\).*the test says so/)
    expect(crashed).toMatch(/^Failed \(internal\)/)
    expect(crashed).not.toMatch(/secret-token|\/home/)
    expect(played.text).toBe('Sorry.')
  })

  it('cancels a running call when the run is aborted', async () => {
    const { toolset, ran, records } = createFixture()
    const controller = new AbortController()
    const watched = toolset.tools.map((tool) => ({
      ...tool,
      call: (input: unknown, options: Parameters<typeof tool.call>[1]) =>
        tool.call(input, { ...options, onProgress: () => controller.abort() }),
    }))
    const turns = [{ calls: [{ id: 'c1', name: 'wait_forever', input: '{}' }] }, { text: 'Done.' }]
    const started = agentOf(openaiAgentsTools(watched), turns)
    await play(started, 'Do it.', { way, run: toolset, signal: controller.signal }).catch(() => {})
    await vi.waitFor(() => expect(records).toHaveLength(1))
    expect(ran).toEqual(['wait_forever started', 'wait_forever saw the abort'])
    expect(records).toMatchObject([{ toolCallId: 'c1', status: 'aborted' }])
  })

  it('sends strict schemas and says so, when told to', async () => {
    const { toolset } = createFixture()
    const started = agentOf(openaiAgentsTools(toolset.tools, { profile: 'strict' }), [{ text: 'Done.' }])
    await play(started, 'Do it.', { way, run: toolset })
    expect(started.model.firstCall?.request.tools[0]).toMatchObject({
      name: 'read_note',
      strict: true,
      parameters: {
        required: ['path', 'limit'],
        properties: { limit: { type: ['integer', 'null'] } },
        additionalProperties: false,
      },
    })
  })

  it('takes null for absent under a strict schema', async () => {
    const { toolset } = createFixture()
    const read = { id: 'c1', name: 'read_note', input: '{"path":"a.txt","limit":null}' }
    const tools = openaiAgentsTools(toolset.tools, { profile: 'strict' })
    const played = await play(agentOf(tools, [{ calls: [read] }, { text: 'Done.' }]), 'Do it.', {
      way,
      run: toolset,
    })
    expect(resultsIn(played.history)[0]?.text).toContain('hello')
  })

  describe('a name that the agent has no tool of', () => {
    const unknown = { id: 'c1', name: 'delete_everything', input: '{}' }
    const turns = [{ calls: [unknown] }, { text: 'Sorry.' }]

    it('is recorded and answered with the names that exist', async () => {
      const { toolset, records } = createFixture()
      const played = await play(agentOf(openaiAgentsTools(toolset.tools), turns), 'Do it.', {
        way,
        run: toolset,
      })
      expect(resultsIn(played.history)[0]?.text).toMatch(/unknown_tool[\s\S]*read_note/)
      expect(played.text).toBe('Sorry.')
      expect(records).toMatchObject([{ toolCallId: 'c1', error: { code: 'unknown_tool' } }])
    })

    it('ends the run without the runner’s options: that is the SDK’s default', async () => {
      const { toolset, ran } = createFixture()
      const options = { way, run: toolset, config: {} }
      const started = agentOf(openaiAgentsTools(toolset.tools), turns)
      await expect(play(started, 'Do it.', options)).rejects.toThrow('delete_everything not found')
      expect(ran).toEqual([])
    })

    it('runs nothing when it is a tool of the run that this agent was not given', async () => {
      const { toolset, ran, records } = createFixture()
      const offered = toolset.tools.filter(({ name }) => name !== 'write_note')
      const started = agentOf(openaiAgentsTools(offered), [{ calls: [WRITE] }, { text: 'Not there.' }])
      const played = await play(started, 'Do it.', { way, run: toolset })
      expect(resultsIn(played.history)[0]?.text).toContain("'write_note' not found")
      expect([ran, records]).toEqual([[], []])
    })
  })
})

it('keeps the order of the tools', () => {
  const { toolset } = createFixture()
  expect(openaiAgentsTools(toolset.tools).map(({ name }) => name)).toEqual(
    toolset.tools.map(({ name }) => name),
  )
})

it('refuses two tools of one name', () => {
  const [tool] = createFixture().toolset.tools
  if (!tool) throw new Error('The fixture has no tool.')
  expect(() => openaiAgentsTools([tool, tool])).toThrow(/Two tools are named read_note/)
})

it('runs a tool that is invoked by hand under the policy, without an id', async () => {
  const { toolset, records } = createFixture({ effects: { filesystemWrite: 'ask' } })
  const tool = openaiAgentsTools(toolset.tools).find(({ name }) => name === 'write_note')
  const text = await tool?.invoke(new RunContext({}), WRITE.input)
  expect(text).toContain('approval_required')
  expect(records).toMatchObject([{ toolCallId: null, status: 'denied' }])
})

it('leaves the words of a rejection to the SDK', async () => {
  const { toolset } = createFixture()
  const { toolErrorFormatter } = runnerConfig(toolset)
  const rejected = {
    kind: 'approval_rejected',
    toolType: 'function',
    toolName: 'read_note',
    callId: 'c1',
  } as const
  const said = toolErrorFormatter({ ...rejected, defaultMessage: 'No.', runContext: new RunContext({}) })
  await expect(said).resolves.toBeUndefined()
})
