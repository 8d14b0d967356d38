import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MemoryItem } from '@kgent/memory'

export interface StoredItem extends MemoryItem {
  key: string
  tags: string[]
}

/** What a test makes the next requests meet instead of the service. */
export type Fault = (response: ServerResponse, next: () => Promise<void>) => unknown

export interface MemoryServer {
  readonly url: string
  readonly items: StoredItem[]
  /** Requests so far, with what they carried. */
  readonly requests: {
    path: string
    key: string | undefined
    authorization: string | undefined
    body: unknown
  }[]
  fault: Fault | null
  close(): Promise<void>
}

/** A team's own memory service on loopback, as `openapi.json` describes it. */
export async function startMemoryServer(): Promise<MemoryServer> {
  const items: StoredItem[] = []
  const server = createServer((request, response) => void serve(request, response))
  const started: MemoryServer = {
    url: '',
    items,
    requests: [],
    fault: null,
    close: () => closeServer(server),
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse((await textOf(request)) || '{}')
    const key = request.headers['idempotency-key'] as string | undefined
    started.requests.push({
      path: request.url ?? '',
      key,
      authorization: request.headers.authorization,
      body,
    })
    const next = async () => answer(request, response, { body, key, items })
    await (started.fault ? started.fault(response, next) : next())
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(started, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` })
}

interface Call {
  body: {
    query: string
    scope: string
    limit: number
    content: string
    tags: string[]
    metadata: MemoryItem['metadata']
  }
  key: string | undefined
  items: StoredItem[]
}

function answer(request: IncomingMessage, response: ServerResponse, { body, key, items }: Call): void {
  if (request.url === '/v1/recall') {
    const words = body.query.toLowerCase().split(/\s+/)
    const found = items.filter(
      (item) => item.scope === body.scope && words.some((word) => item.content.toLowerCase().includes(word)),
    )
    reply(response, 200, { items: found.slice(0, body.limit).map(({ key: _, tags: __, ...item }) => item) })
  } else {
    const { status, answered } = store({ body, key, items })
    reply(response, status, answered)
  }
}

function store({ body, key, items }: Call): { status: number; answered: unknown } {
  if (body.content.trim() === '')
    return { status: 422, answered: { error: { message: 'The content is empty.' } } }
  const known = items.find((item) => item.key === key && item.scope === body.scope)
  if (known) return { status: 409, answered: { id: known.id } }
  const { content, scope, tags, metadata } = body
  const item: StoredItem = { id: randomUUID(), content, scope, score: 1, metadata, key: key ?? '', tags }
  items.push(item)
  return { status: 201, answered: { id: item.id } }
}

export function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
