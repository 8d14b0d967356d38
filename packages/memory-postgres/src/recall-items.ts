import { type JsonObject, KgentError, type MemoryItem, type MemoryRecallOptions } from '@kgent/contracts'
import type { PoolClient } from 'pg'
import type { Database } from './database.ts'
import { failureInfo } from './failure.ts'
import { scopeProblem } from './scope-problem.ts'
import { exactStatement, similarStatement, TRIGRAM_SCHEMA_STATEMENT } from './statements.ts'
import { transact } from './transaction.ts'

interface Recall {
  readonly query: string
  readonly scope: string
  readonly limit: number
}

interface Row {
  id: string
  scope: string
  content: string
  tags: string[]
  metadata: JsonObject
  created_at: Date
  score: number
}

const MOST_ITEMS = 1_000

/** Items with all words of the query first; where they are too few, items with similar words. */
export async function recallItems(
  database: Database,
  wanted: Recall,
  options: MemoryRecallOptions,
): Promise<MemoryItem[]> {
  const problem = scopeProblem(wanted.scope)
  if (problem) throw new KgentError('memory_scope', problem)
  const recall = { ...wanted, query: storable(wanted.query), limit: bounded(wanted.limit) }
  if (recall.limit === 0) return []
  const found = await transact(database, { access: 'read only', signal: options.signal }, (connection) =>
    find({ database, connection }, recall),
  )
  if (found.ok) return found.value.map(toItem)
  const { code, message, details } = failureInfo(found)
  // A query is no item: whatever the database objects to, it did not answer.
  throw new KgentError(code === 'memory_rejected' ? 'memory_unavailable' : code, message, { details })
}

interface Source {
  readonly database: Database
  readonly connection: PoolClient
}

async function find({ database, connection }: Source, { query, scope, limit }: Recall): Promise<Row[]> {
  const { schema } = database
  const exact = await connection.query<Row>(exactStatement(schema), [query, scope, limit])
  if (exact.rows.length >= limit) return exact.rows
  const pattern = `%${query.trim().replace(/[\\%_]/g, '\\$&')}%`
  const known = exact.rows.map(({ id }) => id)
  const similar = await connection.query<Row>(
    similarStatement(schema, await trigramSchema({ database, connection })),
    [query, scope, limit - known.length, pattern, known],
  )
  return [...exact.rows, ...similar.rows]
}

async function trigramSchema({ database, connection }: Source): Promise<string> {
  if (database.trigramSchema === null) {
    const { rows } = await connection.query<{ name: string }>(TRIGRAM_SCHEMA_STATEMENT)
    database.trigramSchema = rows[0]?.name ?? null
  }
  // Without the extension the statement fails, and says that the tables are not ready.
  return database.trigramSchema ?? database.schema
}

function toItem(row: Row): MemoryItem {
  const { id, scope, content, score, tags, metadata } = row
  return {
    id,
    scope,
    content,
    score,
    metadata: { ...metadata, tags, createdAt: row.created_at.toISOString() },
  }
}

function bounded(limit: number): number {
  return limit >= 1 ? Math.min(Math.floor(limit), MOST_ITEMS) : 0
}

function storable(query: string): string {
  return query.replaceAll('\0', ' ').toWellFormed()
}
