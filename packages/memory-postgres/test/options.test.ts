import { inspect } from 'node:util'
import { createPostgresMemoryClient, migrate, type PostgresMemoryClient } from '@kgent/memory-postgres'
import pg from 'pg'
import { describe, expect, it } from 'vitest'

const connectionString = 'postgres://keeper:pa55@127.0.0.1:1/memory'

describe('options of a memory in PostgreSQL', () => {
  it('need one way to reach the database', () => {
    const pool = new pg.Pool({ connectionString })
    for (const options of [{}, { connectionString, pool }]) {
      expect(() => createPostgresMemoryClient(options)).toThrow('Give either `connectionString` or `pool`.')
    }
  })

  it.each([
    { schema: 'Memory' },
    { schema: 'a; drop table b' },
    { schema: 'pg_memory' },
    { schema: '' },
    { poolSize: 0 },
    { statementTimeoutMs: 1.5 },
    { statementTimeoutMs: -1 },
    { connectionTimeoutMs: Number.NaN },
    { connectionString: 'postgres://keeper:pa55@127.0.0.1:notaport/memory' },
  ])('that cannot work are refused at construction: %j', (options) => {
    const create = (): unknown => createPostgresMemoryClient({ connectionString, ...options })
    expect(create).toThrow(expect.objectContaining({ code: 'config_invalid' }))
    expect(create).not.toThrow('pa55')
  })

  it('are not to be seen in the client', () => {
    const client = createPostgresMemoryClient({ connectionString, scopes: ['team'] })
    expect(inspect(client, { depth: 9, showHidden: true })).not.toMatch(/pa55|127\.0\.0\.1/)
    expect(client.scopes).toEqual(['team'])
    expect(createPostgresMemoryClient({ connectionString }).scopes).toBeUndefined()
  })

  it('are needed by migrate: another client is refused', async () => {
    const other = { recallMemory: async () => [], close: async () => {} } as unknown as PostgresMemoryClient
    await expect(migrate(other)).rejects.toMatchObject({ code: 'config_invalid' })
  })
})
