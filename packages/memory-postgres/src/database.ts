import { KgentError } from '@kgent/contracts'
import pg from 'pg'
import type { PostgresMemorySettings } from './postgres-memory-options.ts'

/** The pool behind one client and what is known of the database. Never shown: the pool knows the password. */
export interface Database {
  readonly pool: pg.Pool
  readonly schema: string
  readonly statementTimeoutMs: number
  readonly connectionTimeoutMs: number
  /** The quoted schema that holds pg_trgm; null until it was looked up. */
  trigramSchema: string | null
  closed: boolean
  close(): Promise<void>
}

/** A database reached through the host's pool or one of our own. No connection is made yet. */
export function openDatabase(settings: PostgresMemorySettings): Database {
  const { schema, statementTimeoutMs, connectionTimeoutMs } = settings
  const pool = settings.pool ?? ownPool(settings)
  let closing: Promise<void> | undefined
  const database: Database = {
    pool,
    schema,
    statementTimeoutMs,
    connectionTimeoutMs,
    trigramSchema: null,
    closed: false,
    close() {
      database.closed = true
      closing ??= settings.pool ? Promise.resolve() : pool.end()
      return closing
    },
  }
  return database
}

function ownPool(settings: PostgresMemorySettings): pg.Pool {
  const connection = {
    connectionString: settings.connectionString ?? '',
    connectionTimeoutMillis: settings.connectionTimeoutMs,
    application_name: 'kgent',
    keepAlive: true,
  }
  refuseUnreadable(connection)
  const pool = new pg.Pool({ ...connection, max: settings.poolSize, allowExitOnIdle: true })
  // An idle connection that is lost is replaced at the next call; unheard, the event would end the process.
  pool.on('error', () => {})
  return pool
}

function refuseUnreadable(connection: pg.ClientConfig): void {
  try {
    // Reads the string without connecting; the pool would do so at the first call only.
    new pg.Client(connection)
  } catch {
    // The driver's message would repeat the connection string.
    throw new KgentError(
      'config_invalid',
      '`connectionString` is not one of PostgreSQL: postgres://user@host/database.',
    )
  }
}
