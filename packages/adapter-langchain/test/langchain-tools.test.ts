import { langchainTools } from '@kgent/adapter-langchain'
import { createToolset, defineTool, okResult } from '@kgent/tools-core'
import { createMemoryRun, gateOf } from '@kgent/tools-core/testing'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { createAgent } from 'langchain'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FakeModel } from './fake-model.ts'

const echo = defineTool({
  name: 'echo',
  description: 'Give the text back.',
  inputSchema: z.strictObject({ text: z.string() }),
  permissions: ['text.echo'],
  handler: ({ text }) => okResult('Echoed', { text }),
})

function toolset(effect: 'allow' | 'ask' | 'deny' = 'allow', approved?: boolean) {
  const { context, seen } = createMemoryRun(
    approved === undefined ? {} : { approver: async () => ({ approved, reason: 'not today' }) },
  )
  return { ...createToolset([echo], { context, policy: gateOf({ 'text.echo': effect }) }), seen }
}

const toolCall = { type: 'tool_call' as const, id: 'c1', name: 'echo', args: { text: 'hi' } }

describe('langchainTools', () => {
  it('invoked with a tool call, give a message under its id, with the result as artifact', async () => {
    const [tool] = langchainTools(toolset().tools)
    const message = await tool?.invoke(toolCall)
    expect(message).toBeInstanceOf(ToolMessage)
    expect(message).toMatchObject({
      tool_call_id: 'c1',
      status: 'success',
      content: 'Echoed\n{"text":"hi"}',
      artifact: { ok: true, data: { text: 'hi' } },
    })
  })

  it('invoked with plain input, give the text that a model reads', async () => {
    const [tool] = langchainTools(toolset().tools)
    expect(await tool?.invoke({ text: 'hi' })).toBe('Echoed\n{"text":"hi"}')
  })

  it('mark refusals and failures as errors, and do not throw', async () => {
    const denied = await langchainTools(toolset('deny').tools)[0]?.invoke(toolCall)
    expect(denied).toMatchObject({ status: 'error', content: expect.stringContaining('permission_denied') })
    const invalid = await langchainTools(toolset().tools)[0]?.invoke({ ...toolCall, args: { text: 5 } })
    expect(invalid).toMatchObject({ status: 'error', content: expect.stringContaining('invalid_input') })
  })

  it('ask the host’s approver, whose reason the model reads', async () => {
    const yes = await langchainTools(toolset('ask', true).tools)[0]?.invoke(toolCall)
    expect(yes).toMatchObject({ status: 'success' })
    const no = await langchainTools(toolset('ask', false).tools)[0]?.invoke(toolCall)
    expect(no).toMatchObject({ status: 'error', content: expect.stringContaining('not today') })
  })

  it('tell tracers about each call', async () => {
    const heard: string[] = []
    const handler = {
      handleToolStart: (_tool: unknown, input: string) => void heard.push(`start ${input}`),
      handleToolEnd: (output: ToolMessage) => void heard.push(`end ${output.status}`),
    }
    await langchainTools(toolset().tools)[0]?.invoke(toolCall, { callbacks: [handler] })
    expect(heard).toEqual(['start {"text":"hi"}', 'end success'])
  })

  it('without the hooks an unknown name is answered by LangChain, and runs nothing', async () => {
    const { tools, seen } = toolset()
    const model = new FakeModel([{ calls: [{ id: 'c1', name: 'eco', input: '{}' }] }, { text: 'Done.' }])
    const agent = createAgent({ model, tools: langchainTools(tools) })
    const { messages } = await agent.invoke({ messages: [new HumanMessage('Go.')] })
    expect(messages.at(-1)?.content).toBe('Done.')
    expect(seen.records).toEqual([])
  })

  it('refuse two tools of one name', () => {
    const [tool] = toolset().tools
    expect(() => langchainTools([tool, tool] as never)).toThrow('Two tools are named echo')
  })
})
