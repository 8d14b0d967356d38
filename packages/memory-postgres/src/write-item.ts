import { type ErrorInfo, errorInfo, type MemoryWriteOptions, type MemoryWriteResult } from '@kgent/contracts'
import type { PoolClient } from 'pg'
import type { Database } from './database.ts'
import { failureInfo } from './failure.ts'
import { memoryKey } from './memory-key.ts'
import { scopeProblem } from './scope-problem.ts'
import { insertStatement, itemOfKeyStatement } from './statements.ts'
import { transact } from './transaction.ts'

interface NewItem {
  readonly content: string
  readonly scope: string
  readonly tags: readonly string[]
}

/** Stores one item, or finds that its key is stored already. Never rejects. */
export async function writeItem(
  database: Database,
  item: NewItem,
  options: MemoryWriteOptions,
): Promise<MemoryWriteResult> {
  const refused = refusal(item)
  if (refused) return failed(refused)
  const metadata = JSON.stringify(options.metadata ?? {})
  const values = [item.scope, item.content, item.tags, memoryKey(item, options.idempotencyKey), metadata]
  const written = await transact(database, { access: 'read write', signal: options.signal }, (connection) =>
    insert(connection, { schema: database.schema, values }),
  )
  if (written.ok) return { ...written.value, error: null }
  // Nothing is stored before the commit; once that was sent, only the server knows.
  return written.stage === 'commit' ? unknownResult() : failed(failureInfo(written))
}

type Stored = Pick<MemoryWriteResult, 'status' | 'id'>

async function insert(
  connection: PoolClient,
  { schema, values }: { schema: string; values: unknown[] },
): Promise<Stored> {
  const inserted = await connection.query<{ id: string }>(insertStatement(schema), values)
  if (inserted.rows[0]) return { status: 'written', id: inserted.rows[0].id }
  const [scope, , , key] = values
  const present = await connection.query<{ id: string }>(itemOfKeyStatement(schema), [scope, key])
  return { status: 'duplicate', id: present.rows[0]?.id ?? null }
}

function refusal({ content, scope, tags }: NewItem): ErrorInfo | null {
  const problem = scopeProblem(scope)
  if (problem) return errorInfo('memory_scope', problem)
  if (content.trim() === '') return errorInfo('memory_rejected', 'An item without text is not stored.')
  const texts = [content, ...tags]
  if (texts.some((text) => text.includes('\0') || !text.isWellFormed())) {
    return errorInfo('memory_rejected', 'An item with NUL or half a character in it is not stored.')
  }
  return null
}

function failed(error: ErrorInfo): MemoryWriteResult {
  return { status: 'error', id: null, error }
}

function unknownResult(): MemoryWriteResult {
  const message = 'The item was sent to the memory database and no answer came; it may be stored.'
  return { status: 'unknown', id: null, error: errorInfo('memory_unknown', message) }
}
