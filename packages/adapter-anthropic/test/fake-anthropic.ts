import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk'

/** One answer of the scripted model: calls with their input as the text that a model writes, or a closing text. */
export interface Turn {
  calls?: readonly { id: string; name: string; input: string }[]
  text?: string
}

/** The part of a request's body that tests look at. */
export interface RequestBody {
  tools?: {
    name: string
    description: string
    input_schema: Record<string, unknown>
    [key: string]: unknown
  }[]
  messages: { role: string; content: string | RequestBlock[] }[]
  stream?: boolean
}

export interface RequestBlock {
  type: string
  tool_use_id?: string
  content?: string
  is_error?: boolean
  input?: unknown
}

export interface FakeAnthropic {
  client: Anthropic
  requests: RequestBody[]
}

/** A client whose `fetch` answers with the turns of a script in the API's wire format, one a request. */
export function fakeAnthropic(script: readonly Turn[], options: ClientOptions = {}): FakeAnthropic {
  const requests: RequestBody[] = []
  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    init?.signal?.throwIfAborted()
    const body = JSON.parse(String(init?.body)) as RequestBody
    const turn = script[requests.push(body) - 1]
    if (!turn) throw new Error(`The script has no turn ${requests.length}.`)
    const id = `msg_${requests.length}`
    return body.stream ? eventStream(id, turn) : Response.json(messageOf(id, turn))
  }
  return { client: new Anthropic({ apiKey: 'none', fetch, maxRetries: 0, ...options }), requests }
}

const USAGE = { input_tokens: 1, output_tokens: 1 }

function envelope(id: string) {
  return { id, type: 'message', role: 'assistant', model: 'scripted', stop_sequence: null, usage: USAGE }
}

function messageOf(id: string, turn: Turn) {
  const calls = (turn.calls ?? []).map((call) => ({ type: 'tool_use', ...call, input: inputOf(call.input) }))
  const texts = turn.text === undefined ? [] : [{ type: 'text', text: turn.text }]
  return { ...envelope(id), content: [...texts, ...calls], stop_reason: stopReasonOf(turn) }
}

/** A whole message holds input as a value; what is no JSON can be told in it as text only. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function stopReasonOf({ calls }: Turn): string {
  return calls ? 'tool_use' : 'end_turn'
}

function eventStream(id: string, turn: Turn): Response {
  const message = { ...envelope(id), content: [], stop_reason: null }
  const texts = turn.text === undefined ? [] : [textBlock(turn.text)]
  const blocks = [...texts, ...(turn.calls ?? []).map(callBlock)]
  const events = [
    { type: 'message_start', message },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReasonOf(turn), stop_sequence: null },
      usage: USAGE,
    },
    { type: 'message_stop' },
  ]
  const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  return new Response(inPieces(lines.join('')), { headers: { 'content-type': 'text/event-stream' } })
}

function textBlock(text: string) {
  return { start: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text }] }
}

/** Input comes in pieces, as it does from the API. */
function callBlock({ id, name, input }: { id: string; name: string; input: string }) {
  const half = Math.ceil(input.length / 2)
  const deltas = [input.slice(0, half), input.slice(half)].map((partial_json) => ({
    type: 'input_json_delta',
    partial_json,
  }))
  return { start: { type: 'tool_use', id, name, input: {} }, deltas }
}

/** Pieces end anywhere, as they do on a network. */
function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  const size = 61
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
}
