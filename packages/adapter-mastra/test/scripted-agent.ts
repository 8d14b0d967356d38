import type { JsonSchema } from '@kgent/tools-core'
import type { ScriptedTurn } from '@kgent/tools-core/testing'
import { Agent, type ToolsInput } from '@mastra/core/agent'
import type { MastraModelConfig } from '@mastra/core/llm'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { MastraLanguageModelV2Mock } from '@mastra/core/test-utils/llm-mock'

export const WAYS = ['generate', 'stream'] as const

/** The two ways into the loop. */
export type Way = (typeof WAYS)[number]

/** A part of a prompt, as a provider gets it. */
export interface PromptPart {
  type: string
  toolCallId?: string
  output?: { type: string; value: unknown }
}

/** What came of one way into the loop. */
export interface Answer {
  runId: string
  text: string
  /** The call that waits for a person, or null. */
  pending: { toolCallId: string; toolName: string; args: unknown } | null
  /** The chunks of the stream; empty when there was none. */
  chunks: { type: string; [key: string]: unknown }[]
}

export interface ScriptedAgent {
  agent: Agent
  run(input?: unknown, options?: object): Promise<Answer>
  resume(
    answer: { approved: boolean; reason?: string },
    pending: { runId: string; toolCallId: string },
  ): Promise<Answer>
  /** The tools of the first request. */
  toolsSent(): { name: string; description?: string; inputSchema: JsonSchema; strict?: boolean }[]
  /** The tool results in the last request, in order. */
  results(): PromptPart[]
}

export interface ScriptedAgentOptions {
  way: Way
  turns: readonly ScriptedTurn[]
  tools: ToolsInput
  /** The stream holds whole calls only, not their input piece by piece. */
  wholeCalls?: boolean
  /** The provider's name: Mastra rewrites schemas for some of them. */
  provider?: string
  onChunk?: (chunk: Answer['chunks'][number]) => void
}

/** A real agent in a real Mastra with storage, on Mastra's own mock model that plays a script. */
export function scriptedAgent({ way, turns, tools, onChunk, ...rest }: ScriptedAgentOptions): ScriptedAgent {
  const model = mockModel(turns, rest)
  const agent = new Agent({
    id: 'tester',
    name: 'tester',
    instructions: 'Test.',
    model: asConfig(model),
    tools,
  })
  new Mastra({ agents: { tester: agent }, storage: new InMemoryStore(), logger: false })
  const requests = () => [...model.doGenerateCalls, ...model.doStreamCalls]
  const isStream = way === 'stream'
  const read = (output: unknown) =>
    isStream ? readStream(output as Output, onChunk) : readOutput(output as Output)
  return {
    agent,
    run: async (input = 'Do it.', options = {}) => read(await agent[way](input as string, options)),
    async resume({ approved, ...reason }, pending) {
      if (isStream && approved) return read(await agent.approveToolCall(pending))
      if (isStream) return read(await agent.declineToolCall({ ...pending, ...reason }))
      if (approved) return read(await agent.approveToolCallGenerate(pending))
      return read(await agent.declineToolCallGenerate({ ...pending, ...reason }))
    },
    toolsSent: () => (requests()[0]?.tools ?? []) as unknown as ReturnType<ScriptedAgent['toolsSent']>,
    results: () =>
      (requests().at(-1)?.prompt ?? [])
        .flatMap(({ content }) => (typeof content === 'string' ? [] : (content as PromptPart[])))
        .filter(({ type }) => type === 'tool-result'),
  }
}

interface Output {
  runId: string
  text: string | Promise<string>
  suspendPayload: unknown
  fullStream?: AsyncIterable<Answer['chunks'][number]>
}

async function readOutput(output: Output): Promise<Answer> {
  const pending =
    ((await output.suspendPayload) as { requireToolApproval?: Answer['pending'] } | undefined) ?? {}
  return { runId: output.runId, text: await output.text, pending: pendingOf(pending), chunks: [] }
}

function pendingOf(payload: object): Answer['pending'] {
  if ('requireToolApproval' in payload) return payload.requireToolApproval as Answer['pending']
  return 'toolCallId' in payload ? (payload as Answer['pending']) : null
}

async function readStream(output: Output, onChunk: ScriptedAgentOptions['onChunk']): Promise<Answer> {
  const chunks: Answer['chunks'] = []
  for await (const chunk of output.fullStream ?? []) {
    chunks.push(chunk)
    onChunk?.(chunk)
  }
  const asked = chunks.find(({ type }) => type === 'tool-call-approval')
  return {
    runId: output.runId,
    text: await output.text,
    pending: asked ? (asked.payload as Answer['pending']) : null,
    chunks,
  }
}

/** The mock's own types do not fit under `exactOptionalPropertyTypes`. */
const asConfig = (model: unknown) => model as MastraModelConfig

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }

type Part = ReturnType<typeof contentOf>[number]

function mockModel(
  turns: readonly ScriptedTurn[],
  { provider = 'mock', wholeCalls = false }: Pick<ScriptedAgentOptions, 'provider' | 'wholeCalls'>,
): MastraLanguageModelV2Mock {
  let next = 0
  const answer = () => {
    const turn = turns[next++]
    if (!turn) throw new Error(`The script has no turn ${next}.`)
    return turn
  }
  return new MastraLanguageModelV2Mock({
    provider,
    modelId: `${provider}-1`,
    doGenerate: async () => {
      const turn = answer()
      return { content: contentOf(turn), finishReason: reasonOf(turn), usage, warnings: [] }
    },
    doStream: async () => {
      const turn = answer()
      const parts = contentOf(turn).flatMap((part): object[] =>
        part.type === 'text' || !wholeCalls ? piecesOf(part) : [part],
      )
      const ends = [{ type: 'finish' as const, finishReason: reasonOf(turn), usage }]
      return { stream: streamOf([{ type: 'stream-start' as const, warnings: [] }, ...parts, ...ends]) }
    },
  })
}

function streamOf(parts: readonly object[]): ReadableStream<never> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part as never)
      controller.close()
    },
  })
}

const reasonOf = ({ calls }: ScriptedTurn) => (calls ? ('tool-calls' as const) : ('stop' as const))

function contentOf({ calls = [], text }: ScriptedTurn) {
  return [
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, name, input }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input,
    })),
  ]
}

/** A part as a provider streams it. */
function piecesOf(part: Part): object[] {
  if (part.type === 'text') {
    const id = 't1'
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: part.text },
      { type: 'text-end', id },
    ]
  }
  const { toolCallId: id, toolName, input } = part
  const deltas = input.split(/(?<=,)/).map((delta) => ({ type: 'tool-input-delta' as const, id, delta }))
  return [{ type: 'tool-input-start', id, toolName }, ...deltas, { type: 'tool-input-end', id }, part]
}
