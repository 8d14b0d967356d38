import { type JsonObject, KgentError, type MemoryItem, type MemoryRecallOptions } from '@kgent/contracts'
import type { PoolClient } from 'pg'
import type { Database } from './database.ts'
import { failureInfo } from './failure.ts'
import { scopeProblem } from './scope-problem.ts'
import {
  allWordsStatement,
  partStatement,
  someWordsStatement,
  TRIGRAM_SCHEMA_STATEMENT,
} from './statements.ts'
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

/** Items with all words of the query first; where they are too few, items with some of them or similar ones. */
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

async function find(source: Source, { query, scope, limit }: Recall): Promise<Row[]> {
  const { schema } = source.database
  const ask = async (statement: string, values: unknown[]): Promise<Row[]> =>
    (await source.connection.query<Row>(statement, values)).rows

  const found = await ask(allWordsStatement(schema), [query, scope, limit])
  if (found.length >= limit) return found
  const known = found.map(({ id }) => id)
  const similar = someWordsStatement(schema, await trigramSchema(source))
  found.push(...(await ask(similar, [query, scope, limit - known.length, known])))
  const part = query.trim()
  if (found.length > 0 || part === '') return found
  return await ask(partStatement(schema), [`%${part.replace(/[\\%_]/g, '\\$&')}%`, scope, limit])
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
