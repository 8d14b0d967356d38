import { openaiTools, recordUnknownCalls } from '@kgent/adapter-openai'
import { expect, it } from 'vitest'
import { fakeOpenai } from './fake-openai.ts'
import { createFixture } from './fixture.ts'

it('records unknown names once, and neither the host’s own tools nor what was not offered', async () => {
  const { toolset, ran, seen } = createFixture()
  const own: string[] = []
  const tools = [
    ...openaiTools(toolset.tools.filter(({ name }) => name === 'send_mail')),
    {
      type: 'function' as const,
      function: {
        description: 'The host’s own.',
        parameters: { type: 'object' },
        function: function look_up(input: string) {
          own.push(input)
          return 'found'
        },
      },
    },
  ]
  const names = ['look_up', 'no_such_tool', 'constructor', 'wait_forever']
  const calls = names.map((name, index) => ({ id: `c${index}`, name, input: '{}' }))
  const { client, requests } = fakeOpenai([{ calls }, { text: 'Done.' }])
  const messages = [{ role: 'user' as const, content: 'Do it.' }]
  const runner = client.chat.completions.runTools({ model: 'fake', messages, tools })
  recordUnknownCalls(toolset, { runner, tools })
  await runner.done()
  await toolset.close()

  expect(own).toEqual(['{}'])
  expect(ran).toEqual([])
  expect(seen.records.map(({ tool, toolCallId }) => [tool, toolCallId])).toEqual([
    ['no_such_tool', 'c1'],
    ['constructor', 'c2'],
  ])
  expect(seen.records.map(({ error }) => error?.code)).toEqual(['unknown_tool', 'unknown_tool'])
  const read = requests[1]?.messages.filter(({ role }) => role === 'tool')
  expect(read?.map(({ content }) => content?.startsWith('Invalid tool_call'))).toEqual([
    false,
    true,
    true,
    true,
  ])
})
