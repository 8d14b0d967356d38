import { aiSdkTools, repairToolCall } from '@kgent/adapter-ai-sdk'
import { describe, expect, it } from 'vitest'
import { createFixture } from '../../../test/adapters/notes-fixture.ts'
import { SDKS, WAYS } from './sdk.ts'

const broken = { id: 'c1', name: 'read_note', input: '{"path":"a.txt"' }
const unknown = { id: 'c2', name: 'delete_everything', input: '{"path":"a.txt"}' }
const polluting = { id: 'c3', name: 'read_note', input: '{"path":"a.txt","__proto__":{"x":1}}' }
const script = [{ calls: [broken, unknown, polluting] }, { text: 'Sorry.' }]

describe.each(SDKS)('AI SDK $major', (sdk) => {
  describe.each(WAYS)('%s', (way) => {
    it('runs nothing for input that is no JSON or a name that is unknown', async () => {
      const { toolset, ran } = createFixture()
      const answer = await sdk.run({ script, way, tools: aiSdkTools(toolset.tools) })
      for (const id of ['c1', 'c2', 'c3']) expect(answer.read(id)?.type).toBe('error-text')
      expect(answer.text).toBe('Sorry.')
      expect(ran).toEqual([])
    })

    it('records such calls when the hook is set, and the core answers what it can', async () => {
      const { toolset, ran, records } = createFixture()
      const extra = { experimental_repairToolCall: repairToolCall(toolset) }
      const answer = await sdk.run({ script, way, tools: aiSdkTools(toolset.tools), extra })
      expect(answer.read('c1')?.value).toMatch(/invalid_input.*expected an object with the fields path/)
      expect(answer.read('c2')?.value).toMatch(/unavailable tool 'delete_everything'.*read_note/)
      expect(answer.read('c3')?.value).toMatch(/invalid_input.*__proto__/)
      expect(ran).toEqual([])
      const recorded = records.map(({ toolCallId, error }) => `${toolCallId} ${error?.code}`)
      expect(recorded.sort()).toEqual(['c1 invalid_input', 'c2 unknown_tool', 'c3 invalid_input'])
    })
  })
})

describe.each(SDKS)('AI SDK $major with a part of the tools', (sdk) => {
  const write = { id: 'c1', name: 'write_note', input: '{"path":"a.txt","text":"x"}' }

  it.each(['all', 'offered'])(
    'runs no tool that was not offered (%s tools given to the hook)',
    async (given) => {
      const { toolset, ran } = createFixture()
      const offered = toolset.tools.filter(({ name }) => name !== 'write_note')
      const hook = repairToolCall({ tools: given === 'all' ? toolset.tools : offered, call: toolset.call })
      const answer = await sdk.run({
        script: [{ calls: [write] }, { text: 'Not there.' }],
        tools: aiSdkTools(offered),
        extra: { experimental_repairToolCall: hook },
      })
      expect(answer.read('c1')?.value).toContain('unavailable tool')
      expect(ran).toEqual([])
    },
  )
})

it('leaves the tools of others to the SDK', async () => {
  const { toolset, records } = createFixture()
  const repair = repairToolCall(toolset)
  const toolCall = { toolCallId: 'c1', toolName: 'their_tool', input: '{' }
  await expect(repair({ toolCall, tools: { their_tool: {} } })).resolves.toBeNull()
  expect(records).toEqual([])
})
