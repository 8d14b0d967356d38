import type Anthropic from '@anthropic-ai/sdk'
import type { Middleware } from '@anthropic-ai/sdk/core/middleware'
import type { BetaMessage, BetaMessageParam } from '@anthropic-ai/sdk/resources/beta'
import type { AnthropicTool } from '@kgent/adapter-anthropic'
import { type FakeAnthropic, fakeAnthropic, type RequestBody, type Turn } from './fake-anthropic.ts'

/** The ways into the loop. */
export const WAYS = ['message', 'stream', 'eager stream'] as const
export type Way = (typeof WAYS)[number]

export interface LoopInput {
  way: Way
  script: readonly Turn[]
  tools: readonly AnthropicTool[]
  messages?: BetaMessageParam[]
  signal?: AbortSignal
  middleware?: Middleware[]
  onMessage?: (message: BetaMessage) => Promise<void>
}

/** What came of it. */
export interface Answer {
  requests: readonly RequestBody[]
  /** What the model was sent about each call, in order. */
  results: readonly { id: string; text: string; isError: boolean }[]
  text: string
}

/** Plays a script through the real tool runner. */
export async function runLoop(input: LoopInput): Promise<Answer> {
  const fake = fakeAnthropic(input.script, { middleware: input.middleware })
  let text = ''
  for await (const message of replies(fake.client, input)) {
    await input.onMessage?.(message)
    text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  }
  return { requests: fake.requests, results: resultsIn(fake), text }
}

async function* replies(client: Anthropic, input: LoopInput): AsyncGenerator<BetaMessage> {
  const { way, tools, messages = [{ role: 'user', content: 'Do it.' }], signal } = input
  const params = { model: 'scripted', max_tokens: 100, messages, tools: [...tools] }
  const options = signal ? { signal } : {}
  if (way === 'message') {
    yield* client.beta.messages.toolRunner(params, options)
    return
  }
  const eager = way === 'eager stream'
  const runner = client.beta.messages.toolRunner({ ...params, stream: true, runToolsEagerly: eager }, options)
  for await (const stream of runner) yield await stream.finalMessage()
}

/** The API keeps the conversation, so that each request holds only what is new. */
function resultsIn({ requests }: FakeAnthropic): Answer['results'] {
  const blocks = requests.flatMap(({ messages }) => {
    const { content } = messages.at(-1) ?? {}
    return Array.isArray(content) ? content : []
  })
  return blocks
    .filter(({ type }) => type === 'tool_result')
    .map(({ tool_use_id = '', content = '', is_error = false }) => ({
      id: tool_use_id,
      text: content,
      isError: is_error,
    }))
}
