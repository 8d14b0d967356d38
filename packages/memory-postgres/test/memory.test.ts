import { KgentError } from '@kgent/contracts'
import { createPostgresMemoryClient, migrate, type PostgresMemoryClient } from '@kgent/memory-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, serverBinaries, skipReason, startPostgres } from './postgres-server.ts'

describe.skipIf(!serverBinaries)(`a memory in PostgreSQL${skipReason}`, () => {
  let server: PostgresServer
  let client: PostgresMemoryClient

  beforeAll(async () => {
    server = await startPostgres()
    client = createPostgresMemoryClient({ connectionString: server.url() })
    await migrate(client)
  })

  afterAll(async () => {
    await client?.close()
    await server?.remove()
  })

  const contents = async (query: string, scope: string): Promise<string[]> =>
    (await client.recallMemory(query, scope, 10)).map(({ content }) => content)

  it('keeps what was written: text, tags, provenance and time', async () => {
    const content = 'Mia’s favourite colour is blue 🟦\n第二行\ttab'
    const written = await client.writeMemory(content, 'round', ['colour', 'mia'], {
      metadata: { runId: 'run_1', nested: { deep: [1, null, 'ü'] } },
    })
    expect(written).toEqual({ status: 'written', id: expect.stringMatching(/^[0-9a-f-]{36}$/), error: null })
    const [item, ...others] = await client.recallMemory('favourite colour', 'round', 5)
    expect(others).toEqual([])
    expect(item).toEqual({
      id: written.id,
      content,
      scope: 'round',
      score: expect.any(Number),
      metadata: {
        runId: 'run_1',
        nested: { deep: [1, null, 'ü'] },
        tags: ['colour', 'mia'],
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    })
    expect(item?.score).toBeGreaterThan(0.5)
    expect(item?.score).toBeLessThanOrEqual(1)
  })

  it('finds words in spite of a typing slip', async () => {
    await client.writeMemory('Deployments go to the region eu-central-1', 'slip', [])
    await client.writeMemory('The invoice is sent on Fridays', 'slip', [])
    expect(await contents('depolyment regoin', 'slip')).toEqual(['Deployments go to the region eu-central-1'])
    expect(await contents('invioce', 'slip')).toEqual(['The invoice is sent on Fridays'])
    expect(await contents('zebra', 'slip')).toEqual([])
  })
})
void KgentError
