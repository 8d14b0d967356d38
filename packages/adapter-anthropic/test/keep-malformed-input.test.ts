import { anthropicTools, keepMalformedInput } from '@kgent/adapter-anthropic'
import { describe, expect, it } from 'vitest'
import { createFixture } from './fixture.ts'
import { runLoop, WAYS, type Way } from './loop.ts'

async function play(way: Way, input: string) {
  const { toolset, ran, records } = createFixture()
  const tools = anthropicTools(toolset.tools)
  const script = [{ calls: [{ id: 'c1', name: 'write_note', input }] }, { text: 'Again, Zoë 漢字.' }]
  const inputs: unknown[] = []
  const answer = await runLoop({
    way,
    script,
    tools,
    middleware: [keepMalformedInput],
    onMessage: async ({ content }) => {
      for (const block of content) if (block.type === 'tool_use') inputs.push(block.input)
    },
  })
  return { ...answer, ran, records, inputs }
}

describe.each(WAYS)('%s', (way) => {
  it.each(['{"path": b.txt}', '"b.t', 'not JSON at all', '{"path":"b.txt"', '{"path":"漢字"}}'])(
    'answers input that is no JSON, and the loop goes on: %s',
    async (input) => {
      const { ran, results, records, text } = await play(way, input)
      expect(ran).toEqual([])
      expect(results).toMatchObject([
        { id: 'c1', isError: true, text: expect.stringMatching(/^Failed \(invalid_input\)/) },
      ])
      expect(records).toMatchObject([{ toolCallId: 'c1', status: 'invalid' }])
      expect(text).toBe('Again, Zoë 漢字.')
    },
  )

  it.each(['{"path":"漢字.txt"}', '{ "path" :\n"b.txt" }', '', '{"path":"$raw"}'])(
    'leaves other input as it is: %s',
    async (input) => {
      const { ran, inputs } = await play(way, input)
      const value = input === '' && way === 'message' ? '' : JSON.parse(input || '{}')
      expect(inputs).toEqual([value])
      expect(ran).toEqual([`write_note ${value.path ?? 'a.txt'} c1`])
    },
  )
})

it.each(['stream', 'eager stream'] as const)('%s: the history holds the text in an object', async (way) => {
  expect((await play(way, '{"path":"b.t')).inputs).toEqual([{ $raw: '{"path":"b.t' }])
})

it.each(['\n\n', '\r\n\r\n'])('passes on what is not complete when a stream ends (%j)', async (end) => {
  const delta = { type: 'input_json_delta', partial_json: '{"pa' }
  const held = `data: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta })}${end}`
  const sent = `event: ping${end}${held}data: {"type":"content_bl`
  const response = new Response(sent, { headers: { 'content-type': 'text/event-stream' }, status: 207 })
  const passed = await keepMalformedInput(
    new Request('http://localhost') as never,
    async () => response,
    {} as never,
  )
  expect([passed.status, await passed.text()]).toEqual([207, sent])
})
