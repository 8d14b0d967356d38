import {
  createPostgresMemoryClient,
  migrate,
  type PostgresMemoryClient,
  type PostgresMemoryOptions,
} from '@kgent/memory-postgres'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

export interface Started {
  server: PostgresServer
  client: PostgresMemoryClient
  /** For looking at the tables from outside. */
  admin: pg.Pool
  connect(options?: Partial<PostgresMemoryOptions>): PostgresMemoryClient
}

/** A server with migrated tables and a client for the tests of one `describe`; all ended after them. */
export function startedClient(): Started {
  const started = {} as Started
  const clients: PostgresMemoryClient[] = []
  beforeAll(async () => {
    started.server = await startPostgres()
    started.admin = new pg.Pool({ connectionString: started.server.url(), max: 4 })
    started.admin.on('error', () => {})
    started.connect = (options) => {
      const client = createPostgresMemoryClient({ connectionString: started.server.url(), ...options })
      clients.push(client)
      return client
    }
    started.client = started.connect()
    await migrate(started.client)
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await started.admin?.end()
    await started.server?.remove()
  })
  return started
}
