import { createPostgresMemoryClient, migrate } from '@kgent/memory-postgres'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { serverBinaries, skipReason } from './postgres-server.ts'
import { startedClient } from './started-client.ts'

describe.skipIf(!serverBinaries)(`migrating PostgreSQL${skipReason}`, () => {
  const started = startedClient()
  const versions = async (schema: string): Promise<unknown[]> =>
    (await started.admin.query(`select version from ${schema}.migration`)).rows

  it('keeps what is stored when it runs again', async () => {
    await started.client.writeMemory('kept', 'again', [])
    await migrate(started.client)
    await migrate(started.client)
    expect(await started.client.recallMemory('kept', 'again', 5)).toHaveLength(1)
    expect(await versions('kgent_memory')).toEqual([{ version: 1 }])
  })

  it('runs in many processes at once, on a new database', async () => {
    await started.admin.query('create database fresh')
    const connectionString = started.server.url('fresh')
    const clients = Array.from({ length: 8 }, (_, at) =>
      createPostgresMemoryClient({ connectionString, schema: at % 2 ? 'one' : 'two' }),
    )
    await Promise.all(clients.map(migrate))
    const [client] = clients
    expect((await client?.writeMemory('stored', 'fresh', []))?.status).toBe('written')
    await Promise.all(clients.map((each) => each.close()))
  })

  it('keeps two schemas of one database apart', async () => {
    const other = started.connect({ schema: 'other' })
    await migrate(other)
    await started.client.writeMemory('here', 'apart', [])
    expect(await other.recallMemory('here', 'apart', 5)).toEqual([])
  })

  it('finds pg_trgm in whatever schema it is installed', async () => {
    await started.admin.query('create database moved')
    const admin = new pg.Client({ connectionString: started.server.url('moved') })
    await admin.connect()
    await admin.query('create schema "Odd Place"; create extension pg_trgm schema "Odd Place"')
    await admin.end()
    const client = started.connect({ connectionString: started.server.url('moved') })
    await migrate(client)
    await client.writeMemory('configuration', 'moved', [])
    expect(await client.recallMemory('confguration', 'moved', 5)).toHaveLength(1)
  })

  it('passes for a user who may only read and write, once it was done', async () => {
    await started.admin.query(`
      create role limited login password 'limited';
      grant usage on schema kgent_memory to limited;
      grant select on kgent_memory.migration to limited;
      grant select, insert on kgent_memory.item to limited`)
    const limited = (schema?: string) =>
      started.connect({
        connectionString: started.server.url().replace(/\/\/.*@/, '//limited:limited@'),
        ...(schema && { schema }),
      })
    await migrate(limited())
    expect((await limited().writeMemory('mine', 'limited', [])).status).toBe('written')
    await expect(migrate(limited('not_there'))).rejects.toMatchObject({
      code: 'memory_unavailable',
      message: expect.stringContaining('owner of the database'),
    })
  })

  it('is asked for by the answer of a database without tables', async () => {
    const client = started.connect({ schema: 'empty' })
    const failure = { code: 'memory_unavailable', message: expect.stringContaining('migrate(client)') }
    await expect(client.recallMemory('anything', 'scope', 5)).rejects.toMatchObject(failure)
    expect(await client.writeMemory('anything', 'scope', [])).toMatchObject({
      status: 'error',
      error: failure,
    })
  })
})
