import { createHttpMemoryClient, KgentError, memoryKey } from '@kgent/memory'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { memoryOf } from './fixture.ts'
import { type Fault, type MemoryServer, reply, startMemoryServer } from './memory-server.ts'

let server: MemoryServer
beforeAll(async () => {
  server = await startMemoryServer()
})
afterEach(() => {
  server.fault = null
})
afterAll(() => server.close())

const client = () => createHttpMemoryClient({ baseUrl: `${server.url}/`, token: 'secret-token' })
const write = (content = 'A fact', options = {}) => client().writeMemory(content, 'team', ['tag'], options)
const recall = (signal?: AbortSignal) => client().recallMemory('fact', 'team', 5, signal ? { signal } : {})

describe('createHttpMemoryClient', () => {
  it('stores an item once and finds it', async () => {
    const written = await write('A round fact', { metadata: { runId: 'run-1' } })
    expect(written).toEqual({ status: 'written', id: expect.any(String), error: null })
    expect(await write('A  round fact ')).toEqual({ status: 'duplicate', id: written.id, error: null })
    expect(await client().recallMemory('round', 'team', 5)).toEqual([
      { id: written.id, content: 'A round fact', scope: 'team', score: 1, metadata: { runId: 'run-1' } },
    ])
  })

  it('sends the key and the token as headers, the rest as JSON', async () => {
    await write('Sent as it is')
    expect(server.requests.at(-1)).toMatchObject({
      path: '/v1/items',
      key: memoryKey('team', 'Sent as it is'),
      authorization: 'Bearer secret-token',
      body: { content: 'Sent as it is', scope: 'team', tags: ['tag'], metadata: {} },
    })
  })

  it('sends a key that no header can carry as its hash', async () => {
    await write('x', { idempotencyKey: 'schlüssel\n1' })
    const first = server.requests.at(-1)?.key
    await write('x', { idempotencyKey: 'schlüssel\n1' })
    expect(server.requests.at(-1)?.key).toBe(first)
    expect(first).toMatch(/^[0-9a-f]{64}$/)
  })
})

const answers =
  (status: number, body: unknown): Fault =>
  (response) =>
    reply(response, status, body)
const faults: { name: string; fault: Fault; write: string; code: string | null }[] = [
  { name: '202 accepted', fault: answers(202, { id: 'later' }), write: 'accepted', code: null },
  {
    name: '400',
    fault: answers(400, { error: { message: 'Too\nlong' } }),
    write: 'error',
    code: 'memory_rejected',
  },
  { name: '401', fault: answers(401, {}), write: 'error', code: 'memory_rejected' },
  { name: '429', fault: answers(429, {}), write: 'error', code: 'memory_unavailable' },
  { name: '500', fault: answers(500, {}), write: 'unknown', code: 'memory_unknown' },
  { name: '503', fault: answers(503, {}), write: 'error', code: 'memory_unavailable' },
  {
    name: 'a redirect',
    fault: (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    write: 'error',
    code: 'memory_rejected',
  },
  {
    name: 'HTML instead of JSON',
    fault: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    write: 'unknown',
    code: 'memory_unknown',
  },
  { name: 'a list instead of an object', fault: answers(200, []), write: 'unknown', code: 'memory_unknown' },
  {
    name: 'a reset',
    fault: (response) => response.socket?.resetAndDestroy(),
    write: 'unknown',
    code: 'memory_unknown',
  },
  {
    name: 'an answer that breaks off',
    fault: (response) => {
      response.writeHead(200, { 'content-length': '500' })
      response.write('{"items": [', () => response.destroy())
    },
    write: 'unknown',
    code: 'memory_unknown',
  },
  {
    name: 'an endless answer',
    fault: (response) => {
      response.writeHead(200)
      const more = () => {
        if (!response.destroyed) response.write('x'.repeat(64 * 1024), () => setImmediate(more))
      }
      more()
    },
    write: 'unknown',
    code: 'memory_unknown',
  },
]

describe('a service that misbehaves', () => {
  for (const { name, fault, write: status, code } of faults) {
    it(`${name}: a write is ${status}, a recall is unavailable`, async () => {
      server.fault = fault
      const written = await write()
      expect([written.status, written.error?.code ?? null]).toEqual([status, code])
      await expect(recall()).rejects.toMatchObject({ code: 'memory_unavailable' })
    })
  }

  it('repeats the words of the service, short and on one line', async () => {
    server.fault = answers(422, { error: { message: `Too\n\u001b[31mlong ${'x'.repeat(500)}` } })
    const { error } = await write()
    expect(error?.message).toMatch(
      /^The memory service answered 422\. It says: Too \[31mlong x+… Nothing was stored\.$/,
    )
    expect(error?.message.length).toBeLessThan(300)
  })

  it('never names the address or the token', async () => {
    const messages: string[] = []
    for (const { fault } of faults) {
      server.fault = fault
      messages.push((await write()).error?.message ?? '')
      messages.push(
        await recall().then(
          () => '',
          (thrown: Error) => thrown.message,
        ),
      )
    }
    expect(messages.join('\n')).not.toMatch(/127\.0\.0\.1|secret-token/)
  })

  it('that does not answer is given up by signal: a write is unknown, a recall is cancelled', async () => {
    const controller = new AbortController()
    server.fault = () => controller.abort()
    expect(await write('never', { signal: controller.signal })).toMatchObject({ status: 'unknown' })
    const second = new AbortController()
    server.fault = () => second.abort()
    await expect(recall(second.signal)).rejects.toMatchObject({ code: 'aborted' })
  })

  it('that is not there: nothing was stored, and it says so', async () => {
    const gone = await startMemoryServer()
    await gone.close()
    const absent = createHttpMemoryClient({ baseUrl: gone.url })
    expect(await absent.writeMemory('A fact', 'team', [])).toMatchObject({
      status: 'error',
      error: { code: 'memory_unavailable', retryable: true },
    })
    await expect(absent.recallMemory('fact', 'team', 5)).rejects.toMatchObject({ code: 'memory_unavailable' })
  })

  it('gives items of another scope, or none at all: they are left out, and counted by the memory around the client', async () => {
    const item = { id: '1', content: 'c', scope: 'team', score: null, metadata: {} }
    server.fault = answers(200, { items: [{ ...item, scope: 'other' }, item, { id: 2 }, null] })
    expect(await recall()).toEqual([item])
    const dropped: unknown[] = []
    const memory = memoryOf({ client: client(), onDropped: (entry) => dropped.push(entry) })
    expect(await memory.recallMemory('fact', 'team', 5)).toEqual([item])
    expect(dropped).toEqual([
      { count: 1, scope: 'team', reason: 'foreign' },
      { count: 2, scope: 'team', reason: 'malformed' },
    ])
  })
})

describe('options that cannot work', () => {
  for (const baseUrl of ['', 'memory', 'file:///etc', 'https://user:pass@host/', 'https://host/?key=1']) {
    it(`${JSON.stringify(baseUrl)} is no address`, () => {
      expect(() => createHttpMemoryClient({ baseUrl })).toThrow(KgentError)
    })
  }
  it('a token with a line end is none', () => {
    expect(() => createHttpMemoryClient({ baseUrl: 'http://host', token: 'a\nb: c' })).toThrow(/token/)
  })
})
