import { mastraTools, type ToolProgressChunk, toModelOutput } from '@kgent/adapter-mastra'
import { createToolset, defineTool, okResult } from '@kgent/tools-core'
import { createMemoryRun, gateOf } from '@kgent/tools-core/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createFixture, mailTo } from './fixture.ts'
import { scriptedAgent, WAYS } from './scripted-agent.ts'

const DONE = { text: 'Done.' }

afterEach(() => {
  vi.restoreAllMocks()
})

describe('schemas', () => {
  it.each(['mock', 'openai.responses', 'google.generative-ai', 'anthropic.messages', 'deepseek', 'meta'])(
    'are sent as they are to a model of %s',
    async (provider) => {
      const { toolset } = createFixture()
      const tools = mastraTools(toolset.tools)
      const scripted = scriptedAgent({ way: 'generate', turns: [DONE], tools, provider })
      await scripted.run()
      expect(scripted.toolsSent().map(({ inputSchema }) => inputSchema)).toEqual(
        toolset.tools.map((tool) => tool.jsonSchema({ profile: 'closed', target: 'draft-07' })),
      )
    },
  )

  it.each(['openai.responses', 'google.generative-ai'])(
    'change nothing on the way back from a model of %s',
    async (provider) => {
      const { toolset, ran } = createFixture({ mail: 'allow' })
      const calls = [mailTo('ada', 'c1', { copies: null }), mailTo('bob', 'c2', { copies: '2' })]
      const tools = mastraTools(toolset.tools)
      const scripted = scriptedAgent({ way: 'generate', turns: [{ calls }, DONE], tools, provider })
      await scripted.run()
      expect(ran).toEqual(['send_mail ada c1'])
      expect(scripted.results()[1]?.output).toMatchObject({
        type: 'error-text',
        value: expect.stringContaining('send the number 2'),
      })
    },
  )

  it('refuse a field that Mastra would take away', () => {
    const tool = defineTool({
      name: 'resume_it',
      description: 'Resume.',
      inputSchema: z.strictObject({ resumeData: z.string() }),
      permissions: [],
      handler: () => okResult('Resumed', {}),
    })
    const { context } = createMemoryRun()
    const { tools } = createToolset([tool], { context, policy: gateOf() })
    expect(() => mastraTools(tools)).toThrow(/resumeData.*Rename it in the input of resume_it/)
  })
})

describe.each(WAYS)('Agent.%s', (way) => {
  it('reads failures as errors, and goes on', async () => {
    const { toolset } = createFixture({ mail: 'allow' })
    const turns = [{ calls: [mailTo('nobody')] }, DONE]
    const scripted = scriptedAgent({ way, turns, tools: mastraTools(toolset.tools) })
    expect((await scripted.run()).text).toBe('Done.')
    expect(scripted.results()).toMatchObject([
      { output: { type: 'error-text', value: expect.stringContaining('Nobody has no address.') } },
    ])
  })

  it.each(['{', '{"to":"ada', '{to:"ada"}', "{'to':'ada'}"])(
    'lets the core refuse input that is no JSON, and never guesses it: %s',
    async (input) => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      const { toolset, records, ran } = createFixture({ mail: 'allow' })
      const calls = ['count_up', 'send_mail'].map((name) => ({ id: name, name, input }))
      const scripted = scriptedAgent({ way, turns: [{ calls }, DONE], tools: mastraTools(toolset.tools) })
      expect((await scripted.run()).text).toBe('Done.')
      expect(records.map(({ status, tool }) => [status, tool]).sort()).toEqual([
        ['invalid', 'count_up'],
        ['invalid', 'send_mail'],
      ])
      for (const { output } of scripted.results()) expect(output?.value).toContain('invalid_input')
      expect(ran).toEqual([])
    },
  )

  it('takes no text at all for no arguments', async () => {
    const { toolset, records } = createFixture()
    const turns = [{ calls: [{ id: 'c1', name: 'count_up', input: '' }] }, DONE]
    await scriptedAgent({ way, turns, tools: mastraTools(toolset.tools) }).run()
    expect(records).toMatchObject([{ status: 'ok' }])
  })

  it('answers a call that comes again under its id from the first result', async () => {
    const { toolset, ran, records } = createFixture({ mail: 'allow' })
    const calls = [mailTo('ada')]
    const turns = [{ calls }, { calls }, DONE]
    await scriptedAgent({ way, turns, tools: mastraTools(toolset.tools) }).run()
    expect(ran).toEqual(['send_mail ada c1'])
    expect(records).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
  })
})

it('says progress in the stream, before the result', async () => {
  const { toolset } = createFixture()
  const turns = [{ calls: [{ id: 'c1', name: 'count_up', input: '{}' }] }, DONE]
  const { chunks } = await scriptedAgent({ way: 'stream', turns, tools: mastraTools(toolset.tools) }).run()
  const seen = chunks.filter(({ type }) => type === 'data-tool-progress' || type === 'tool-result')
  expect(seen.map(({ type }) => type)).toEqual([
    'data-tool-progress',
    'data-tool-progress',
    'data-tool-progress',
    'tool-result',
  ])
  expect((seen[0] as unknown as ToolProgressChunk).data).toEqual({
    tool: 'count_up',
    toolCallId: 'c1',
    message: 'Step 1',
    counts: { step: 1 },
  })
})

it('records broken input that Mastra answers by itself, because the stream held whole calls only', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { toolset, records, ran } = createFixture()
  const turns = [{ calls: [{ id: 'c1', name: 'count_up', input: '{' }] }, DONE]
  const tools = mastraTools(toolset.tools)
  const scripted = scriptedAgent({ way: 'stream', turns, tools, wholeCalls: true })
  await scripted.run()
  expect(records).toMatchObject([{ status: 'invalid', toolCallId: 'c1' }])
  expect(scripted.results()).toMatchObject([{ output: { type: 'error-text' } }])
  expect(ran).toEqual([])
})

it('refuses two tools of one name', () => {
  const { toolset } = createFixture()
  expect(() => mastraTools([...toolset.tools, ...toolset.tools])).toThrow(/Two tools are named send_mail/)
})

it('says outputs of another form as JSON instead of throwing', () => {
  for (const output of ['text', 7, null, [], {}, { ok: true }]) {
    expect(toModelOutput(output)).toEqual({ type: 'text', value: JSON.stringify(output) })
  }
  expect(toModelOutput(undefined)).toEqual({ type: 'text', value: '' })
})
