import { anthropicTools } from '@kgent/adapter-anthropic'
import { describe, expect, it, vi } from 'vitest'
import { fakeAnthropic } from './fake-anthropic.ts'
import { createFixture } from './fixture.ts'
import { runLoop, WAYS } from './loop.ts'

const call = (id: string, name: string, input: unknown) => ({ id, name, input: JSON.stringify(input) })

describe.each(WAYS)('%s', (way) => {
  it('gives the model a result without the error flag, and what failed or was refused with it', async () => {
    const { toolset, records, ran } = createFixture({ effects: { 'notes.write': 'allow' } })
    const calls = [
      call('c1', 'write_note', { path: 'b.txt' }),
      call('c2', 'write_note', { file: 'b.txt' }),
      call('c3', 'crash', {}),
    ]
    const answer = await runLoop({
      way,
      script: [{ calls }, { text: 'Done.' }],
      tools: anthropicTools(toolset.tools),
    })
    expect(answer.results).toMatchObject([
      { id: 'c1', isError: false, text: 'Wrote b.txt\n{"path":"b.txt"}' },
      {
        id: 'c2',
        isError: true,
        text: expect.stringMatching(/^Failed \(invalid_input\).*unknown field "file"/s),
      },
      { id: 'c3', isError: true, text: expect.stringMatching(/^Failed \(internal\)/) },
    ])
    expect(JSON.stringify(answer.requests)).not.toContain('secret-token')
    expect(ran).toEqual(['write_note b.txt c1'])
    expect(records.map(({ toolCallId, status }) => [toolCallId, status]).sort()).toEqual([
      ['c1', 'ok'],
      ['c2', 'invalid'],
      ['c3', 'error'],
    ])
    expect(answer.text).toBe('Done.')
  })

  it('marks a denial as an error, with the reason to read', async () => {
    const { toolset, ran } = createFixture({ effects: { 'notes.write': 'deny' } })
    const { results } = await runLoop({
      way,
      script: [{ calls: [call('c1', 'write_note', {})] }, { text: '' }],
      tools: anthropicTools(toolset.tools),
    })
    expect(results).toMatchObject([
      { id: 'c1', isError: true, text: expect.stringMatching(/permission_denied.*the test says so/s) },
    ])
    expect(ran).toEqual([])
  })

  it.each([true, false])('asks the approver of the host, whose answer (%s) holds', async (approved) => {
    const approver = vi.fn(async () => ({ approved }))
    const { toolset, ran } = createFixture({ effects: { 'notes.write': 'ask' }, approver })
    const { results } = await runLoop({
      way,
      script: [{ calls: [call('c1', 'write_note', {})] }, { text: '' }],
      tools: anthropicTools(toolset.tools),
    })
    expect(approver).toHaveBeenCalledTimes(1)
    expect(results).toMatchObject([{ id: 'c1', isError: !approved }])
    expect(ran).toEqual(approved ? ['write_note a.txt c1'] : [])
  })

  it('answers a call that comes again under its id from the first result', async () => {
    const { toolset, ran, records } = createFixture()
    const calls = [call('c1', 'write_note', {})]
    const { results } = await runLoop({
      way,
      script: [{ calls }, { calls }, { text: '' }],
      tools: anthropicTools(toolset.tools),
    })
    expect(ran).toEqual(['write_note a.txt c1'])
    expect(results.map(({ text }) => text)).toEqual(Array(2).fill('Wrote a.txt\n{"path":"a.txt"}'))
    expect(records.map(({ attempt }) => attempt)).toEqual([1, 2])
  })

  it('cancels a running call when the runner is aborted', async () => {
    const controller = new AbortController()
    const { toolset, ran, records } = createFixture({ onStart: () => controller.abort() })
    const run = runLoop({
      way,
      script: [{ calls: [call('c1', 'wait_forever', {})] }, { text: '' }],
      tools: anthropicTools(toolset.tools),
      signal: controller.signal,
    })
    await expect(run).rejects.toThrow(/abort/i)
    await vi.waitFor(() => expect(records).toMatchObject([{ toolCallId: 'c1', status: 'aborted' }]))
    expect(ran).toEqual(['wait_forever started', 'wait_forever saw the abort'])
  })

  it('takes an input of nothing for an empty object', async () => {
    const { toolset, ran } = createFixture()
    await runLoop({
      way,
      script: [{ calls: [{ id: 'c1', name: 'write_note', input: '' }] }, { text: '' }],
      tools: anthropicTools(toolset.tools),
    })
    expect(ran).toEqual(['write_note a.txt c1'])
  })
})

describe.each(['stream', 'eager stream'] as const)('%s', (way) => {
  it.each(['{"path":"b.txt","limit":', '{"path":"b.txt"', '{"path":"b.t', '{'])(
    'refuses input that is cut off, which the SDK would complete: %s',
    async (input) => {
      const { toolset, ran, records } = createFixture()
      const { results, text } = await runLoop({
        way,
        script: [{ calls: [{ id: 'c1', name: 'write_note', input }] }, { text: 'Again.' }],
        tools: anthropicTools(toolset.tools),
      })
      expect(ran).toEqual([])
      expect(results).toMatchObject([
        { id: 'c1', isError: true, text: expect.stringContaining('invalid_input') },
      ])
      expect(records).toMatchObject([{ toolCallId: 'c1', status: 'invalid' }])
      expect(text).toBe('Again.')
    },
  )

  it('runs nothing for input that the SDK cannot read, which ends its loop', async () => {
    const { toolset, ran } = createFixture()
    const run = runLoop({
      way,
      script: [{ calls: [{ id: 'c1', name: 'write_note', input: '{"path": b.txt}' }] }, { text: '' }],
      tools: anthropicTools(toolset.tools),
    })
    await expect(run).rejects.toThrow(/Unable to parse tool parameter JSON/)
    expect(ran).toEqual([])
  })
})

describe('the request', () => {
  const toolsSent = async (options?: Parameters<typeof anthropicTools>[1]) => {
    const { toolset } = createFixture()
    const tools = anthropicTools(toolset.tools, options)
    const { requests } = await runLoop({ way: 'message', script: [{ text: '' }], tools })
    return { sent: requests[0]?.tools ?? [], toolset }
  }

  it('holds the schemas as the core gives them, and nothing of the adapter', async () => {
    const { sent, toolset } = await toolsSent()
    const schema = toolset.tool('write_note')?.jsonSchema({ profile: 'closed', target: 'draft-2020-12' })
    expect(sent[0]).toEqual({
      type: 'custom',
      name: 'write_note',
      description: 'Write a note.',
      input_schema: schema,
      input_examples: [{ path: 'a.txt' }],
    })
    expect(Object.keys(sent[1] ?? {}).sort()).toEqual(['description', 'input_schema', 'name', 'type'])
  })

  it('holds strict schemas on request', async () => {
    const { sent } = await toolsSent({ profile: 'strict' })
    expect(sent[0]).toMatchObject({
      strict: true,
      input_schema: { required: ['path', 'limit'], additionalProperties: false },
    })
    expect(sent[0]).not.toHaveProperty('input_examples')
  })
})

it('runs in a runner that is awaited instead of read', async () => {
  const { toolset, ran } = createFixture()
  const { client } = fakeAnthropic([{ calls: [call('c1', 'write_note', {})] }, { text: 'Done.' }])
  const last = await client.beta.messages.toolRunner({
    model: 'scripted',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Do it.' }],
    tools: anthropicTools(toolset.tools),
  })
  expect(last.content).toMatchObject([{ type: 'text', text: 'Done.' }])
  expect(ran).toEqual(['write_note a.txt c1'])
})

it('refuses two tools of one name', () => {
  const { toolset } = createFixture()
  expect(() => anthropicTools([...toolset.tools, ...toolset.tools])).toThrow(/Two tools are named write_note/)
})
