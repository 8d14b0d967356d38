import { genkitCalls, genkitTools, type ToolProgressPart } from '@kgent/adapter-genkit'
import type { GenerateResponseChunk } from 'genkit'
import { logger } from 'genkit/logging'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFixture, mailTo } from './fixture.ts'
import { scriptedGenkit } from './scripted-genkit.ts'

const DONE = { text: 'Done.' }
const unknown = { id: 'u1', name: 'no_such_tool', input: '{"a":1}' }

afterEach(() => {
  vi.restoreAllMocks()
})

describe('without genkitCalls', () => {
  it('validates, decides and records all the same, but has no id', async () => {
    const { toolset, ran, records } = createFixture({ mail: 'allow' })
    const calls = [mailTo('ada'), mailTo('bob', 'c2', { copies: '2' })]
    const settings = { tools: genkitTools(toolset.tools) }
    const scripted = scriptedGenkit({ way: 'generate', turns: [{ calls }, DONE], settings })
    expect((await scripted.run()).text).toBe('Done.')
    expect(scripted.results().find(({ ref }) => ref === 'c2')?.output).toContain('send the number 2')
    expect(ran).toEqual(['send_mail ada null'])
    expect(records.map(({ toolCallId }) => toolCallId)).toEqual([null, null])
  })

  it('is used as a plain function', async () => {
    const { toolset, ran } = createFixture({ mail: 'allow' })
    const [mail] = genkitTools(toolset.tools)
    expect(await mail?.({ to: 'ada' })).toBe('Sent to ada\n{}')
    expect(await mail?.({ to: 5 })).toContain('invalid_input')
    expect(ran).toEqual(['send_mail ada null'])
  })

  it('ends with Genkit’s error when the model calls an unknown tool', async () => {
    const { toolset } = createFixture()
    const settings = { tools: genkitTools(toolset.tools) }
    const scripted = scriptedGenkit({ way: 'generate', turns: [{ calls: [unknown] }, DONE], settings })
    await expect(scripted.run()).rejects.toThrow('Tool no_such_tool not found')
  })
})

describe('genkitCalls', () => {
  it('records and answers an unknown tool, and runs nothing beside it', async () => {
    const { toolset, ran, records } = createFixture({ mail: 'allow' })
    const settings = { tools: genkitTools(toolset.tools), use: [genkitCalls(toolset)] }
    const turns = [{ calls: [unknown, mailTo('ada')] }, { calls: [mailTo('ada', 'c2')] }, DONE]
    const scripted = scriptedGenkit({ way: 'generate', turns, settings })
    expect((await scripted.run()).text).toBe('Done.')
    expect(scripted.requests[1]?.messages.at(-1)?.content).toMatchObject([
      { toolResponse: { ref: 'u1', output: expect.stringContaining('count_up, send_mail') } },
      { toolResponse: { ref: 'c1', output: expect.stringContaining('Not run') } },
    ])
    expect(records).toMatchObject([
      { tool: 'no_such_tool', toolCallId: 'u1', error: { code: 'unknown_tool' } },
      { tool: 'send_mail', status: 'ok' },
    ])
    expect(ran).toEqual(['send_mail ada c2'])
  })

  it('starts no tool of the run that was not offered', async () => {
    const { toolset, ran } = createFixture({ mail: 'allow' })
    const offered = toolset.tools.filter(({ name }) => name === 'count_up')
    const settings = { tools: genkitTools(offered), use: [genkitCalls(toolset)] }
    const scripted = scriptedGenkit({ way: 'generate', turns: [{ calls: [mailTo('ada')] }, DONE], settings })
    expect((await scripted.run()).text).toBe('Done.')
    expect(ran).toEqual([])
  })

  it('gives up on a model that calls nothing but unknown tools', async () => {
    const { toolset, records } = createFixture()
    const settings = { tools: genkitTools(toolset.tools), use: [genkitCalls(toolset)] }
    const turns = Array.from({ length: 9 }, (_, turn) => ({ calls: [{ ...unknown, id: `u${turn}` }] }))
    const scripted = scriptedGenkit({ way: 'generate', turns, settings })
    await expect(scripted.run()).rejects.toThrow('Tool no_such_tool not found')
    expect(records).toHaveLength(5)
  })

  it('leaves calls alone that the host wants to answer itself', async () => {
    const { toolset, records } = createFixture()
    const settings = {
      tools: genkitTools(toolset.tools),
      use: [genkitCalls(toolset)],
      returnToolRequests: true,
    }
    const scripted = scriptedGenkit({ way: 'generate', turns: [{ calls: [unknown] }], settings })
    const { messages } = await scripted.run()
    expect(messages.at(-1)?.content).toMatchObject([{ toolRequest: { name: 'no_such_tool' } }])
    expect(records).toEqual([])
  })

  it('gives results in the order of the calls, for models that give calls no id', async () => {
    const { toolset, ran } = createFixture({ mail: 'allow' })
    const settings = { tools: genkitTools(toolset.tools), use: [genkitCalls(toolset)] }
    const calls = [mailTo('ada'), mailTo('bob', 'c2', { copies: '2' }), mailTo('cyd')]
    const turns = [{ calls }, DONE]
    const scripted = scriptedGenkit({ way: 'generate', turns, settings, withoutIds: true })
    await scripted.run()
    expect(scripted.results().map(({ output }) => String(output).split('\n')[0])).toEqual([
      'Sent to ada',
      expect.stringContaining('invalid_input'),
      'Sent to cyd',
    ])
    expect(ran.sort()).toEqual(['send_mail ada null', 'send_mail cyd null'])
  })

  it('says progress in the stream, before the result', async () => {
    const { toolset } = createFixture()
    const settings = { tools: genkitTools(toolset.tools), use: [genkitCalls(toolset)] }
    const chunks: GenerateResponseChunk[] = []
    const turns = [{ calls: [{ id: 'c1', name: 'count_up', input: '{}' }] }, DONE]
    const onChunk = (chunk: GenerateResponseChunk) => chunks.push(chunk)
    await scriptedGenkit({ way: 'generateStream', turns, settings, onChunk }).run()
    const parts = chunks.filter(({ role }) => role === 'tool').flatMap(({ content }) => content)
    expect((parts[0] as ToolProgressPart).custom.toolProgress).toEqual({
      tool: 'count_up',
      toolCallId: 'c1',
      message: 'Step 1',
      counts: { step: 1 },
    })
    expect(parts[1]).toMatchObject({ toolResponse: { ref: 'c1' } })
    expect(parts).toHaveLength(2)
  })

  it('answers a call that comes again under its id from the first result', async () => {
    const { toolset, ran, records } = createFixture({ mail: 'allow' })
    const settings = { tools: genkitTools(toolset.tools), use: [genkitCalls(toolset)] }
    const turns = [{ calls: [mailTo('ada')] }, { calls: [mailTo('ada')] }, DONE]
    await scriptedGenkit({ way: 'generate', turns, settings }).run()
    expect(ran).toEqual(['send_mail ada c1'])
    expect(records).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
  })

  it('keeps two runs apart in one generate', async () => {
    const one = createFixture({ mail: 'allow' })
    const two = createFixture()
    const others = two.toolset.tools.filter(({ name }) => name === 'count_up')
    const mails = one.toolset.tools.filter(({ name }) => name === 'send_mail')
    const settings = {
      tools: [...genkitTools(mails), ...genkitTools(others)],
      use: [genkitCalls({ ...one.toolset, tools: mails }), genkitCalls({ ...two.toolset, tools: others })],
    }
    const calls = [mailTo('ada'), { id: 'c2', name: 'count_up', input: '{}' }]
    await scriptedGenkit({ way: 'generate', turns: [{ calls }, DONE], settings }).run()
    expect([one.records, two.records]).toMatchObject([[{ toolCallId: 'c1' }], [{ toolCallId: 'c2' }]])
  })
})

it('can be used in any number of runs, without complaint', async () => {
  const error = vi.spyOn(logger, 'error')
  const { toolset } = createFixture()
  const settings = { tools: genkitTools(toolset.tools), use: [genkitCalls(toolset)] }
  const scripted = scriptedGenkit({ way: 'generate', turns: [DONE, DONE, DONE], settings })
  for (const _ of [1, 2, 3]) await scripted.run()
  expect(error).not.toHaveBeenCalled()
})

it('refuses two tools of one name', () => {
  const { toolset } = createFixture()
  expect(() => genkitTools([...toolset.tools, ...toolset.tools])).toThrow(/Two tools are named send_mail/)
})
