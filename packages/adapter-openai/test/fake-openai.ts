import type { ScriptedTurn } from '@kgent/tools-core/testing'
import OpenAI from 'openai'

/** A request as the service gets it. */
export interface WireRequest {
  stream?: boolean
  messages: { role: string; content?: string | null; tool_call_id?: string }[]
  tools?: {
    type: string
    function: { name: string; description: string; parameters: Record<string, never>; strict?: boolean }
  }[]
}

export interface FakeService {
  client: OpenAI
  requests: WireRequest[]
}

/** The real client (of 7, unless another is given) on a service of the script's turns, that speaks the wire format of chat completions. */
export function fakeOpenai(turns: readonly ScriptedTurn[], Client = OpenAI): FakeService {
  const requests: WireRequest[] = []
  const fetch = async (_url: unknown, init?: { body?: unknown }) => {
    const request = JSON.parse(String(init?.body)) as WireRequest
    const turn = turns[requests.length] ?? { text: 'The script has ended.' }
    requests.push(request)
    return request.stream ? streamed(turn) : whole(turn)
  }
  return { client: new Client({ apiKey: 'none', fetch, maxRetries: 0 }), requests }
}

const HEAD = { id: 'completion-1', created: 1, model: 'fake' }

function toolCalls({ calls = [] }: ScriptedTurn) {
  return calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: input } }))
}

function whole(turn: ScriptedTurn): Response {
  const calls = toolCalls(turn)
  const message = { role: 'assistant', content: turn.text ?? null, refusal: null }
  const choice = {
    index: 0,
    message: calls.length > 0 ? { ...message, tool_calls: calls } : message,
    finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
    logprobs: null,
  }
  return Response.json({ ...HEAD, object: 'chat.completion', choices: [choice] })
}

/** As the service streams: a call begins with its id and name, and its arguments come in pieces. */
function streamed(turn: ScriptedTurn): Response {
  const calls = toolCalls(turn)
  const deltas: object[] = [{ role: 'assistant', content: turn.text ?? null }]
  for (const [index, call] of calls.entries()) {
    const text = call.function.arguments
    const middle = Math.floor(text.length / 2)
    deltas.push({ tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] })
    for (const piece of [text.slice(0, middle), text.slice(middle)])
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  const choices = [
    ...deltas.map((delta) => ({ index: 0, delta, finish_reason: null })),
    { index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' },
  ]
  const lines = choices.map((choice) =>
    JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices: [choice] }),
  )
  const body = [...lines, '[DONE]'].map((line) => `data: ${line}\n\n`).join('')
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
