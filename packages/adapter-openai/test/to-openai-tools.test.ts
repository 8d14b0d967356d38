import { openaiTools } from '@kgent/adapter-openai'
import type { ScriptedCall, ScriptedTurn } from '@kgent/tools-core/testing'
import { describe, expect, it } from 'vitest'
import { fakeOpenai } from './fake-openai.ts'
import { createFixture } from './fixture.ts'
import { SDKS, WAYS } from './sdk.ts'

const messages = [{ role: 'user' as const, content: 'Do it.' }]
const head = { model: 'fake', messages }
const mail = (id: string, to = 'ada'): ScriptedCall => ({
  id,
  name: 'send_mail',
  input: JSON.stringify({ to }),
})
const end = { text: 'Done.' }

const BOTH = SDKS.flatMap(({ major, Client }) => WAYS.map((way) => ({ major, Client, way })))

describe.each(BOTH)('openai $major, $way', ({ Client, way }) => {
  const stream = way === 'runTools with stream'
  const play = (turns: readonly ScriptedTurn[]) => fakeOpenai(turns, Client)
  type Body = Parameters<ReturnType<typeof fakeOpenai>['client']['chat']['completions']['runTools']>[0]
  const start = (service: ReturnType<typeof fakeOpenai>, body: object) =>
    service.client.chat.completions.runTools({ ...head, ...body, stream } as Body)

  it('gives each of several equal calls its own id', async () => {
    const { toolset, ran, seen } = createFixture()
    const service = play([{ calls: [mail('c1'), mail('c2'), mail('c3')] }, end])
    await start(service, { tools: openaiTools(toolset.tools) }).done()
    expect(ran.filter((line) => line.startsWith('send_mail'))).toEqual(
      ['c1', 'c2', 'c3'].map((id) => `send_mail ada ${id}`),
    )
    expect(seen.records.map(({ toolCallId }) => toolCallId).sort()).toEqual(['c1', 'c2', 'c3'])
  })

  it('records the id that the package makes for a service that gives none', async () => {
    const { toolset, seen } = createFixture()
    const service = play([{ calls: [mail('')] }, end])
    await start(service, { tools: openaiTools(toolset.tools) }).done()
    const answered = service.requests[1]?.messages.find(({ role }) => role === 'tool')?.tool_call_id
    expect(answered).toMatch(/^call_/)
    expect(seen.records[0]?.toolCallId).toBe(answered)
  })

  it('runs the calls of one answer side by side, and in turn when the request says so', async () => {
    for (const inTurn of [false, true]) {
      const { toolset, ran } = createFixture()
      const service = play([{ calls: [mail('c1', 'ada'), mail('c2', 'bob')] }, end])
      const more = inTurn ? { parallel_tool_calls: false } : {}
      await start(service, { tools: openaiTools(toolset.tools), ...more }).done()
      expect(ran.indexOf('send_mail bob c2') < ran.indexOf('sent ada c1')).toBe(!inTurn)
    }
  })

  it('asks the host’s approver, and runs what that allows', async () => {
    for (const approved of [true, false]) {
      const asked: string[] = []
      const { toolset, ran } = createFixture({
        effects: { 'mail.send': 'ask' },
        approver: async ({ tool }) => {
          asked.push(tool)
          return { approved }
        },
      })
      const service = play([{ calls: [mail('c1')] }, end])
      await start(service, { tools: openaiTools(toolset.tools) }).done()
      expect(asked).toEqual(['send_mail'])
      expect(ran.length > 0).toBe(approved)
    }
  })

  it('cancels a running tool when the runner is aborted', async () => {
    const { toolset, ran, seen } = createFixture()
    const service = play([{ calls: [{ id: 'c1', name: 'wait_forever', input: '{}' }] }, end])
    const runner = start(service, { tools: openaiTools(toolset.tools) })
    runner.on('message', () => setImmediate(() => runner.abort()))
    await expect(runner.done()).rejects.toThrow('aborted')
    await toolset.close()
    expect(ran).toEqual(['wait_forever started', 'wait_forever saw the abort'])
    expect(seen.records[0]?.status).toBe('aborted')
  })

  it('sends strict schemas when asked to', async () => {
    const { toolset } = createFixture()
    const service = play([end])
    await start(service, { tools: openaiTools(toolset.tools, { profile: 'strict' }) }).done()
    expect(service.requests[0]?.tools?.[0]?.function).toMatchObject({
      strict: true,
      parameters: { required: ['to', 'subject'], additionalProperties: false },
    })
  })

  it('runs nothing when a strict call is no JSON: the package reads it first and ends the run', async () => {
    const { toolset, ran, seen } = createFixture()
    const service = play([{ calls: [{ id: 'c1', name: 'send_mail', input: '{"to": "a' }] }, end])
    const runner = start(service, { tools: openaiTools(toolset.tools, { profile: 'strict' }) })
    await expect(runner.done()).rejects.toThrow()
    expect([ran, seen.records]).toEqual([[], []])
  })

  it('runs nothing that a history claims', async () => {
    const { toolset, ran } = createFixture()
    const service = play([end])
    const call = { id: 'c1', type: 'function', function: { name: 'send_mail', arguments: '{"to":"eve"}' } }
    const claimed = [...messages, { role: 'assistant', tool_calls: [call] }]
    await start(service, { messages: claimed, tools: openaiTools(toolset.tools) }).done()
    expect(ran).toEqual([])
  })
})

it('refuses two tools of one name', () => {
  const { toolset } = createFixture()
  expect(() => openaiTools([...toolset.tools, ...toolset.tools])).toThrow('Two tools are named send_mail')
})

it('runs a call without an id where the runner’s messages do not hold it', async () => {
  const { toolset, ran } = createFixture()
  const [tool] = openaiTools(toolset.tools)
  const runner = { messages: [], controller: new AbortController() }
  expect(await tool?.function.function('{"to":"ada"}', runner)).toContain('Sent to ada')
  expect(ran).toEqual(['send_mail ada null', 'sent ada null'])
})
