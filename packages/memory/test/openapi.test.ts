import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createHttpMemoryClient } from '@kgent/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MemoryServer, reply, startMemoryServer } from './memory-server.ts'

const api = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@kgent/memory/openapi.json'), 'utf8'),
)
const schemas = api.components.schemas

let server: MemoryServer
beforeAll(async () => {
  server = await startMemoryServer()
})
afterAll(() => server.close())

/** What the descriptions of the file say, in the words of results. */
function documented(status: string): string {
  const { description } = api.paths['/items'].post.responses[status]
  const [, said] = /status (\w+)|\((memory_\w+)\)/.exec(description) ?? []
  return said ?? /\((memory_\w+)\)/.exec(description)?.[1] ?? 'memory_rejected'
}

describe('openapi.json', () => {
  it('describes the requests that the client sends', async () => {
    const client = createHttpMemoryClient({ baseUrl: server.url })
    await client.writeMemory('A fact', 'team', ['x'], { metadata: { runId: 'run-1' } })
    await client.recallMemory('fact', 'team', 5)
    const [write, recall] = server.requests
    expect([write?.path, recall?.path]).toEqual(
      Object.keys(api.paths)
        .map((path) => `/v1${path}`)
        .reverse(),
    )
    expect(Object.keys(write?.body as object).sort()).toEqual([...schemas.NewItem.required].sort())
    expect(Object.keys(recall?.body as object).sort()).toEqual([...schemas.Question.required].sort())
    expect(write?.key?.length).toBeLessThanOrEqual(200)
  })

  const statuses = Object.keys(api.paths['/items'].post.responses)
  for (const status of statuses) {
    it(`says what a write makes of ${status}`, async () => {
      server.fault = (response) =>
        reply(response, Number(status.replace('XX', '22').replace('522', '500')), { id: '1' })
      const result = await createHttpMemoryClient({ baseUrl: server.url }).writeMemory('a', 'team', [])
      expect([result.status, result.error?.code]).toContain(documented(status))
      server.fault = null
    })
  }
})
