import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One answer of the model: text, calls (input as text is sent as it is), or none at all. */
export interface Turn {
  calls?: { name: string; input: object | string }[]
  text?: string
  /** Called instead of answering; the request stays open. */
  hang?: () => void
}

interface Request {
  authorization: string | undefined
  body: {
    model: string
    stream?: boolean
    messages: { role: string; content: unknown; tool_call_id?: string }[]
    tools?: { function: { name: string } }[]
  }
}

/** A small server on loopback that speaks the chat-completions protocol, streaming and parallel tool calls included. */
export async function startOpenAiServer(
  turns: readonly Turn[],
): Promise<{ url: string; requests: Request[]; close(): void }> {
  const requests: Request[] = []
  const server: Server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request))
    const turn = turns[requests.length]
    requests.push({ authorization: request.headers.authorization, body })
    if (!turn) return response.writeHead(400).end('{"error":{"message":"the script has ended"}}')
    if (turn.hang) return turn.hang()
    if (!body.stream)
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole(turn)))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks(turn)) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    return response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () => void server.close().closeAllConnections(),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += part
  return text
}

const head = { id: 'chat-1', created: 0, model: 'test-model' }

function toolCalls({ calls = [] }: Turn) {
  return calls.map(({ name, input }, index) => ({
    index,
    id: `${name}-${index}`,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }))
}

function whole(turn: Turn) {
  const message = {
    role: 'assistant',
    content: turn.text ?? null,
    ...(turn.calls && { tool_calls: toolCalls(turn) }),
  }
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: turn.calls ? 'tool_calls' : 'stop' }],
  }
}

/** Text in pieces, and the arguments of each call in two pieces, as real servers stream them. */
function chunks(turn: Turn) {
  const delta = (content: object, finish: string | null = null) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: content, finish_reason: finish }],
  })
  const text = (turn.text ?? '').match(/.{1,7}/gs) ?? []
  const calls = toolCalls(turn).flatMap((call) => {
    const { name, arguments: args } = call.function
    const middle = Math.floor(args.length / 2)
    return [
      delta({ tool_calls: [{ ...call, function: { name, arguments: args.slice(0, middle) } }] }),
      delta({ tool_calls: [{ index: call.index, function: { arguments: args.slice(middle) } }] }),
    ]
  })
  return [
    delta({ role: 'assistant' }),
    ...text.map((content) => delta({ content })),
    ...calls,
    delta({}, turn.calls ? 'tool_calls' : 'stop'),
  ]
}
