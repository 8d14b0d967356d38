import type { JsonSchema } from '@kgent/tools-core'
import { MockLanguageModelV4 } from 'ai/test'
import { MockLanguageModelV2 } from 'ai5/test'
import { MockLanguageModelV3 } from 'ai6/test'

/** One answer of the scripted model: calls with their input as the text that a model writes, or a closing text. */
export interface Turn {
  calls?: { id: string; name: string; input: string }[]
  text?: string
}

/** The mock model of one major, with the prompts that it was given. */
export interface MockModel {
  model: unknown
  prompts(): Prompt[]
  /** The tools of the first request, as the provider gets them. */
  tools(): {
    name: string
    description: string
    inputSchema: JsonSchema
    strict?: boolean
    inputExamples?: unknown
  }[]
}

export type Prompt = { role: string; content: string | PromptPart[] }[]

export interface PromptPart {
  type: string
  toolCallId?: string
  input?: unknown
  output?: { type: string; value?: unknown; reason?: string }
}

type MockClass = new (options: {
  doGenerate: () => Promise<never>
  doStream: () => Promise<never>
}) => { doGenerateCalls: unknown[]; doStreamCalls: unknown[] }

const MOCKS = {
  5: MockLanguageModelV2 as unknown as MockClass,
  6: MockLanguageModelV3 as unknown as MockClass,
  7: MockLanguageModelV4 as unknown as MockClass,
}

/** A model that answers with the turns of a script, one a request. */
export function mockModel(major: 5 | 6 | 7, script: readonly Turn[]): MockModel {
  let next = 0
  const answer = () => {
    const turn = script[next++]
    if (!turn) throw new Error(`The script has no turn ${next}.`)
    return { content: contentOf(turn), ...endOf(major, turn) }
  }
  const model = new MOCKS[major]({
    doGenerate: async () => ({ ...answer(), warnings: [] }) as never,
    doStream: async () => ({ stream: streamOf(answer()) }) as never,
  })
  const requests = () =>
    [...model.doGenerateCalls, ...model.doStreamCalls] as {
      prompt: Prompt
      tools: ReturnType<MockModel['tools']>
    }[]
  return {
    model,
    prompts: () => requests().map(({ prompt }) => prompt),
    tools: () => requests()[0]?.tools ?? [],
  }
}

interface Content {
  type: string
  [key: string]: unknown
}

function contentOf({ calls = [], text }: Turn): Content[] {
  return [
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input })),
  ]
}

function endOf(major: number, { calls }: Turn) {
  const reason = calls ? 'tool-calls' : 'stop'
  if (major === 5) return { finishReason: reason, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  return { finishReason: { unified: reason, raw: reason }, usage }
}

function streamOf({ content, ...end }: { content: Content[] }): ReadableStream<unknown> {
  const parts = content.flatMap((part, index) =>
    part.type === 'text'
      ? [
          { type: 'text-start', id: String(index) },
          { type: 'text-delta', id: String(index), delta: part.text },
          { type: 'text-end', id: String(index) },
        ]
      : [part],
  )
  return new ReadableStream({
    start(controller) {
      for (const part of [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', ...end }]) {
        controller.enqueue(part)
      }
      controller.close()
    },
  })
}
