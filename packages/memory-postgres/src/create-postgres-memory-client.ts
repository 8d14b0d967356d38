import { KgentError, type MemoryClient } from '@kgent/contracts'
import { type Database, openDatabase } from './database.ts'
import { migrateDatabase } from './migrate.ts'
import { type PostgresMemoryOptions, postgresMemorySettings } from './postgres-memory-options.ts'
import { recallItems } from './recall-items.ts'
import { writeItem } from './write-item.ts'

export interface PostgresMemoryClient extends MemoryClient {
  /** What a wrapper may rely on: making a write again is safe. */
  readonly supports: { readonly stores: true; readonly idempotencyKeys: true; readonly metadata: true }
  /** Ends the client's own pool once the calls in progress have ended; may be called again. */
  close(): Promise<void>
}

/** The database stays out of the client's fields: whoever prints a client must not see a password. */
const databases = new WeakMap<PostgresMemoryClient, Database>()

/**
 * A memory in PostgreSQL. Connects at the first call.
 * **Throws:** `config_invalid` for options that cannot work.
 */
export function createPostgresMemoryClient(options: PostgresMemoryOptions): PostgresMemoryClient {
  const settings = postgresMemorySettings(options)
  const database = openDatabase(settings)
  const client: PostgresMemoryClient = {
    recallMemory: (query, scope, limit, recallOptions = {}) =>
      recallItems(database, { query, scope, limit }, recallOptions),
    writeMemory: (content, scope, tags, writeOptions = {}) =>
      writeItem(database, { content, scope, tags }, writeOptions),
    close: () => database.close(),
    supports: { stores: true, idempotencyKeys: true, metadata: true },
    ...(settings.scopes && { scopes: settings.scopes }),
  }
  databases.set(client, database)
  return client
}

/**
 * Creates or updates the tables of a client. Safe to run twice and by many processes at once.
 * **Throws:** `memory_unavailable` when the database cannot be reached or refuses.
 */
export async function migrate(client: PostgresMemoryClient): Promise<void> {
  const database = databases.get(client)
  if (!database) {
    throw new KgentError('config_invalid', '`migrate` takes a client of `createPostgresMemoryClient`.')
  }
  await migrateDatabase(database)
}
