import type { PoolClient } from 'pg'
import { type CallWatch, watchCall } from './call-watch.ts'
import type { Database } from './database.ts'

/** How far a transaction came. Before `commit` nothing can have been stored; from `commit` on it may have been. */
export type Stage = 'connect' | 'work' | 'commit'

export type Transaction<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly stage: Stage; readonly reason: unknown }

export interface TransactionOptions {
  readonly access: 'read only' | 'read write'
  readonly signal: AbortSignal | undefined
}

export type Work<T> = (connection: PoolClient) => Promise<T>

/** How similar a word must be to be found in spite of a slip; pg_trgm's own default, 0.6, misses most. */
const WORD_SIMILARITY = 0.35
/** What the answer may take beyond the server's own limit, in milliseconds. */
const ANSWER_GRACE = 1_000

/** Runs `work` in one transaction of its own. Never rejects; after any failure the connection is dropped. */
export async function transact<T>(
  database: Database,
  options: TransactionOptions,
  work: Work<T>,
): Promise<Transaction<T>> {
  let stage: Stage = 'connect'
  let connection: PoolClient | undefined
  let watch = watchCall(options.signal, database.connectionTimeoutMs)
  try {
    connection = await acquire(database, watch)
    watch.end()
    watch = watchCall(options.signal, database.statementTimeoutMs + ANSWER_GRACE)
    stage = 'work'
    await watch.race(connection.query(opening(database, options)))
    const value = await watch.race(work(connection))
    stage = 'commit'
    await watch.race(connection.query('commit'))
    release(connection)
    return { ok: true, value }
  } catch (reason) {
    if (connection) release(connection, { drop: true })
    return { ok: false, stage, reason }
  } finally {
    watch.end()
  }
}

async function acquire({ pool }: Database, watch: CallWatch): Promise<PoolClient> {
  const connecting = pool.connect()
  let taken = false
  try {
    const connection = await watch.race(connecting)
    taken = true
    connection.on('error', ignore)
    return connection
  } finally {
    // Given up while connecting: what arrives later goes back at once.
    if (!taken) connecting.then((late) => late.release(), ignore)
  }
}

function release(connection: PoolClient, { drop = false } = {}): void {
  // A dropped connection keeps its listener: its last error would otherwise end the process.
  if (!drop) connection.off('error', ignore)
  connection.release(drop)
}

/** One message: the limits hold for this transaction only, whatever pool or pooler the connection comes from. */
function opening({ statementTimeoutMs }: Database, { access }: TransactionOptions): string {
  return [
    `begin isolation level read committed ${access}`,
    `set local statement_timeout = ${statementTimeoutMs}`,
    `set local pg_trgm.word_similarity_threshold = ${WORD_SIMILARITY}`,
  ].join(';')
}

function ignore(): void {}
