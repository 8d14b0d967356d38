import { type ErrorCode, errorInfo, type MemoryWriteOptions, type MemoryWriteResult } from '@kgent/contracts'
import type { NewItem } from './dialect.ts'
import { memoryKey } from './memory-key.ts'
import type { Memory } from './recall-items.ts'
import type { createSerialQueue } from './serial-queue.ts'
import { untilAborted } from './until-aborted.ts'

export interface WritableMemory extends Memory {
  /** Runs the work now or when its turn has come. */
  readonly turn: ReturnType<typeof createSerialQueue>
}

/** Hands one item to the server. Never rejects. */
export async function writeItem(
  { dialect, link, turn }: WritableMemory,
  given: Pick<NewItem, 'content' | 'scope' | 'tags'>,
  { signal, idempotencyKey, metadata = {} }: MemoryWriteOptions,
): Promise<MemoryWriteResult> {
  if (!given.scope) return failed('memory_scope', 'The memory scope is missing.')
  if (given.content.trim() === '') return failed('memory_rejected', 'An item without text is not stored.')
  const item: NewItem = { ...given, metadata, key: memoryKey(given, idempotencyKey) }
  let sent = false
  const writing = turn(async (): Promise<MemoryWriteResult> => {
    if (signal?.aborted) return cancelled()
    const answer = await link.call(dialect.write(item), { signal, onSend: () => (sent = true) })
    if (answer.kind === 'answer') return dialect.result(answer.value, item)
    if (answer.kind === 'refused') return failed('memory_rejected', 'The memory server refused the item.')
    return answer.kind === 'no answer' ? unknown(answer.why) : failed('memory_unavailable', answer.why)
  })
  const onAbort = (): MemoryWriteResult => (sent ? unknown('The call was cancelled.') : cancelled())
  return await untilAborted(writing, { signal, onAbort })
}

function failed(code: ErrorCode, message: string): MemoryWriteResult {
  return { status: 'error', id: null, error: errorInfo(code, message) }
}

function cancelled(): MemoryWriteResult {
  return failed('aborted', 'The write was cancelled before it was sent.')
}

function unknown(why: string): MemoryWriteResult {
  const message = `${why} The item was sent and may be stored.`
  return { status: 'unknown', id: null, error: errorInfo('memory_unknown', message) }
}
