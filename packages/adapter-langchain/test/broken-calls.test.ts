import { brokenCalls, langchainTools } from '@kgent/adapter-langchain'
import { createToolset, defineTool, okResult } from '@kgent/tools-core'
import { createMemoryRun, gateOf } from '@kgent/tools-core/testing'
import { AIMessageChunk, HumanMessage } from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { createAgent, createMiddleware } from 'langchain'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FakeModel } from './fake-model.ts'

/** A run with one tool that needs no input: what runs it by mistake is seen. */
function pinging() {
  const ran: string[] = []
  const ping = defineTool({
    name: 'ping',
    description: 'Say pong.',
    inputSchema: z.strictObject({ text: z.string().optional() }),
    permissions: [],
    handler({ text }) {
      ran.push(text ?? 'pong')
      return okResult('Pong', {})
    },
  })
  const { context, seen } = createMemoryRun()
  return { ...createToolset([ping], { context, policy: gateOf({}) }), ran, seen }
}

const middlewareOf = (run: ReturnType<typeof pinging>) =>
  createMiddleware({ name: 'kgent', ...brokenCalls(run) } as never)

/** Streams its first answer: one call whose arguments come in these pieces. */
class StreamingModel extends FakeModel {
  #pieces: string[] | null

  constructor(pieces: string[]) {
    super([{ text: 'Done.' }])
    this.#pieces = pieces
  }

  override async *_streamResponseChunks(): AsyncGenerator<ChatGenerationChunk> {
    const pieces = this.#pieces
    this.#pieces = null
    if (pieces === null) {
      yield new ChatGenerationChunk({ message: new AIMessageChunk('Done.'), text: 'Done.' })
      return
    }
    for (const [at, args] of pieces.entries()) {
      const tool_call_chunks = [{ index: 0, args, ...(at === 0 && { id: 'c1', name: 'ping' }) }]
      yield new ChatGenerationChunk({
        message: new AIMessageChunk({ content: '', tool_call_chunks }),
        text: '',
      })
    }
  }
}

async function streamed(run: ReturnType<typeof pinging>, pieces: string[]) {
  const agent = createAgent({
    model: new StreamingModel(pieces),
    tools: langchainTools(run.tools),
    middleware: [middlewareOf(run)],
  })
  const input = { messages: [new HumanMessage('Go.')] }
  // The mode that makes LangGraph stream from the model.
  for await (const _chunk of await agent.stream(input, { streamMode: 'messages' }));
}

describe('brokenCalls', () => {
  it('start no tool that the run has and the agent was not given', async () => {
    const run = pinging()
    const model = new FakeModel([{ calls: [{ id: 'c1', name: 'ping', input: '{}' }] }, { text: 'Done.' }])
    const agent = createAgent({ model, tools: [], middleware: [middlewareOf(run)] })
    const { messages } = await agent.invoke({ messages: [new HumanMessage('Go.')] })
    expect(messages.at(-1)?.text).toBe('Done.')
    expect(run.ran).toEqual([])
    expect(run.seen.records).toHaveLength(1)
  })

  it('start nothing for arguments that are empty text', async () => {
    const run = pinging()
    const model = new FakeModel([{ calls: [{ id: 'c1', name: 'ping', input: '' }] }, { text: 'Done.' }])
    const agent = createAgent({ model, tools: langchainTools(run.tools), middleware: [middlewareOf(run)] })
    await agent.invoke({ messages: [new HumanMessage('Go.')] })
    expect(run.ran).toEqual([])
    expect(run.seen.records).toHaveLength(1)
  })

  it('start nothing for streamed arguments that are cut off, which LangChain would complete', async () => {
    for (const pieces of [['{"te', 'xt": "hal'], ['{']]) {
      const run = pinging()
      await streamed(run, pieces)
      expect(run.ran).toEqual([])
      expect(run.seen.records).toMatchObject([{ status: 'invalid', toolCallId: 'c1' }])
    }
  })

  it('let streamed arguments pass that are whole', async () => {
    const run = pinging()
    await streamed(run, ['{"te', 'xt": "whole"}'])
    expect(run.ran).toEqual(['whole'])
  })
})
