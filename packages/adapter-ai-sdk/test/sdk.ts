import type { SdkMessage } from '@kgent/adapter-ai-sdk'
import * as ai7 from 'ai'
import * as ai5 from 'ai5'
import * as ai6 from 'ai6'
import { type MockModel, mockModel, type Prompt, type PromptPart, type Turn } from './mock-model.ts'

export const WAYS = ['generateText', 'streamText', 'agent.generate', 'agent.stream'] as const

/** The four ways into the loop that every major has. */
export type Way = (typeof WAYS)[number]

interface Request {
  script: readonly Turn[]
  tools: object
  way?: Way
  messages?: readonly SdkMessage[]
  abortSignal?: AbortSignal
  /** Sees the parts of a stream as they come. */
  onPart?: (part: StreamPart) => void
  /** Further options of the call, or of the agent class. */
  extra?: object
}

export interface Answer {
  text: string
  /** What the SDK adds to the history: to be sent again together with an approval. */
  responseMessages: SdkMessage[]
  /** The parts of the stream; empty when there was none. */
  parts: StreamPart[]
  prompts: Prompt[]
  tools: ReturnType<MockModel['tools']>
  /** What the model read in the end about a call. */
  read(toolCallId: string): PromptPart['output']
}

export interface StreamPart {
  type: string
  toolCallId?: string
  output?: unknown
  preliminary?: boolean
  error?: unknown
}

export interface Sdk {
  major: 5 | 6 | 7
  hasApproval: boolean
  run(request: Request): Promise<Answer>
}

interface Result {
  text: string | PromiseLike<string>
  response: object | PromiseLike<object>
  responseMessages?: SdkMessage[] | PromiseLike<SdkMessage[]>
  fullStream?: AsyncIterable<StreamPart>
}

type Run = (settings: object) => Result | PromiseLike<Result>

/** The parts of a major that are used here; loosely typed, because the three agree on no type. */
interface Library {
  generateText: unknown
  streamText: unknown
  stepCountIs: unknown
}

export const SDKS: readonly Sdk[] = [
  sdkOf(5, ai5, ai5.Experimental_Agent),
  sdkOf(6, ai6, ai6.ToolLoopAgent),
  sdkOf(7, ai7, ai7.ToolLoopAgent),
]

function sdkOf(major: 5 | 6 | 7, library: Library, agentClass: unknown): Sdk {
  const Agent = agentClass as new (settings: object) => { generate: Run; stream: Run }
  const stepCountIs = library.stepCountIs as (count: number) => unknown
  return {
    major,
    hasApproval: major > 5,
    async run({ script, tools, way = 'generateText', messages, abortSignal, onPart, extra }) {
      const mock = mockModel(major, script)
      const settings = { model: mock.model, tools, stopWhen: stepCountIs(8), ...extra }
      const input = {
        ...(messages ? { messages } : { prompt: 'Do it.' }),
        ...(abortSignal ? { abortSignal } : {}),
      }
      const ways: Record<Way, () => Result | PromiseLike<Result>> = {
        generateText: () => (library.generateText as Run)({ ...settings, ...input }),
        streamText: () => (library.streamText as Run)({ ...settings, ...input, onError: () => {} }),
        'agent.generate': () => new Agent(settings).generate(input),
        'agent.stream': () => new Agent(settings).stream(input),
      }
      return answerOf(await ways[way](), { mock, onPart })
    },
  }
}

async function answerOf(result: Result, { mock, onPart }: { mock: MockModel; onPart: Request['onPart'] }) {
  const parts: StreamPart[] = []
  for await (const part of result.fullStream ?? []) {
    parts.push(part)
    onPart?.(part)
  }
  const response = (await result.response) as { messages?: SdkMessage[] }
  const prompts = mock.prompts()
  return {
    text: await result.text,
    responseMessages: (await result.responseMessages) ?? response.messages ?? [],
    parts,
    prompts,
    tools: mock.tools(),
    read: (toolCallId: string) => toolResult(prompts.at(-1) ?? [], toolCallId),
  }
}

function toolResult(prompt: Prompt, toolCallId: string): PromptPart['output'] {
  const parts = prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return parts.findLast((part) => part.type === 'tool-result' && part.toolCallId === toolCallId)?.output
}
