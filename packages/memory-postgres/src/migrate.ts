import { KgentError } from '@kgent/contracts'
import type { PoolClient } from 'pg'
import type { Database } from './database.ts'
import { failureInfo } from './failure.ts'
import { MIGRATIONS } from './migrations.ts'
import { TRIGRAM_SCHEMA_STATEMENT } from './statements.ts'

/** One lock for all schemas, since extensions belong to the whole database. The number is "kgent" in bytes. */
const LOCK = 0x6b67656e74

/** Brings the tables up to date in one transaction. Safe to run twice and by many processes at once. */
export async function migrateDatabase(database: Database): Promise<void> {
  let connection: PoolClient | undefined
  try {
    connection = await database.pool.connect()
    await connection.query('begin')
    await upgrade(connection, database.schema)
    await connection.query('commit')
    connection.release()
  } catch (reason) {
    connection?.release(true)
    if (KgentError.is(reason)) throw reason
    const { code, message, details } = failureInfo({ stage: connection ? 'work' : 'connect', reason })
    throw new KgentError(code, message, { details })
  }
}

async function upgrade(connection: PoolClient, schema: string): Promise<void> {
  await connection.query('set local statement_timeout = 0')
  await connection.query('select pg_advisory_xact_lock($1)', [LOCK])
  const done = await versions(connection, schema)
  const missing = MIGRATIONS.filter(({ version }) => !done.includes(version))
  if (missing.length === 0) return
  if (done.length === 0) await prepare(connection, schema)
  const { rows } = await connection.query<{ name: string }>(TRIGRAM_SCHEMA_STATEMENT)
  const trigramSchema = rows[0]?.name ?? 'public'
  for (const migration of missing) {
    await connection.query(migration.sql({ schema, trigramSchema }))
    await connection.query(`insert into ${schema}.migration (version) values ($1)`, [migration.version])
  }
}

/** Looked up without asking for rights: a user who may only read and write items passes when all is done. */
async function versions(connection: PoolClient, schema: string): Promise<number[]> {
  const { rows } = await connection.query<{ present: boolean }>(
    'select to_regclass($1) is not null as present',
    [`${schema}.migration`],
  )
  if (!rows[0]?.present) return []
  const done = await connection.query<{ version: number }>(`select version from ${schema}.migration`)
  return done.rows.map(({ version }) => version)
}

async function prepare(connection: PoolClient, schema: string): Promise<void> {
  try {
    await connection.query('create extension if not exists pg_trgm')
    await connection.query('create extension if not exists btree_gin')
    await connection.query(`create schema if not exists ${schema}`)
    await connection.query(`
      create table ${schema}.migration (version integer primary key, applied_at timestamptz not null default now())`)
  } catch (reason) {
    const refused = ['42501', '58P01', '0A000'].includes((reason as { code?: string }).code ?? '')
    if (!refused) throw reason
    throw new KgentError(
      'memory_unavailable',
      'The migration needs the extensions pg_trgm and btree_gin and the right to create a schema; have the owner of the database run it.',
    )
  }
}
