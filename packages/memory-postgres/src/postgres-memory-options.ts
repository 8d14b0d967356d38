import { KgentError } from '@kgent/contracts'
import type { Pool } from 'pg'

/** How to reach the database: exactly one of `connectionString` and `pool`, the rest has defaults. */
export interface PostgresMemoryOptions {
  connectionString?: string
  /** A pool of the host's own: it keeps its settings, and `close()` leaves it open. */
  pool?: Pool
  /** The schema of the tables: lower-case letters, digits and `_`. Default `kgent_memory`. */
  schema?: string
  /** Connections of the client's own pool. Default 4. */
  poolSize?: number
  /** The longest a statement may run in the server. Default 5,000. */
  statementTimeoutMs?: number
  /** The longest wait for a connection of the client's own pool. Default 3,000. */
  connectionTimeoutMs?: number
  /** The scopes that the host allows. Default: any. */
  scopes?: readonly string[]
}

export interface PostgresMemorySettings {
  readonly connectionString: string | null
  readonly pool: Pool | null
  readonly schema: string
  readonly poolSize: number
  readonly statementTimeoutMs: number
  readonly connectionTimeoutMs: number
  readonly scopes: readonly string[] | null
}

/**
 * The options with their defaults.
 * **Throws:** `config_invalid` for options that cannot work.
 */
export function postgresMemorySettings(options: PostgresMemoryOptions): PostgresMemorySettings {
  const { connectionString = null, pool = null, schema = 'kgent_memory' } = options
  if ((connectionString === null) === (pool === null)) {
    throw new KgentError('config_invalid', 'Give either `connectionString` or `pool`.')
  }
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith('pg_')) {
    throw new KgentError(
      'config_invalid',
      '`schema` is up to 63 lower-case letters, digits and `_`, and does not start with a digit or `pg_`.',
    )
  }
  return {
    connectionString,
    pool,
    schema,
    poolSize: positive('poolSize', options.poolSize ?? 4),
    statementTimeoutMs: positive('statementTimeoutMs', options.statementTimeoutMs ?? 5_000),
    connectionTimeoutMs: positive('connectionTimeoutMs', options.connectionTimeoutMs ?? 3_000),
    scopes: options.scopes ?? null,
  }
}

function positive(name: string, value: number): number {
  if (Number.isInteger(value) && value > 0 && value < 2 ** 31) return value
  throw new KgentError('config_invalid', `\`${name}\` is a whole number above 0.`)
}
