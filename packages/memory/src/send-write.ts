import {
  type ErrorInfo,
  errorInfo,
  type JsonObject,
  KgentError,
  type MemoryClient,
  type MemoryWriteResult,
} from '@kgent/contracts'
import { startDeadline, type TimedOutcome } from './deadline.ts'
import { hasIdempotencyKeys } from './memory-abilities.ts'

/** An item on its way to a client. */
export interface OutgoingItem {
  content: string
  scope: string
  tags: string[]
  key: string
  metadata: JsonObject
}

export interface SendOptions {
  timeoutMs: number
  signal?: AbortSignal | undefined
  onRetry?: ((reason: ErrorInfo) => void) | undefined
}

const STATUSES = ['written', 'duplicate', 'accepted', 'candidate', 'blocked', 'unknown', 'error']

/**
 * Sends an item within a time limit. Where the client keeps keys, a passing failure is tried once more in what is left of
 * the time; what may have been stored is said to be unknown. Never rejects.
 */
export async function sendWrite(
  to: { client: MemoryClient; item: OutgoingItem },
  options: SendOptions,
): Promise<MemoryWriteResult> {
  if (options.signal?.aborted)
    return failed(errorInfo('aborted', 'The call was cancelled; nothing was sent.'))
  const deadline = startDeadline(options.timeoutMs, options.signal)
  try {
    const first = await sendOnce(to, deadline)
    if (!first.error || !mayRetry(to.client, first) || deadline.signal.aborted) return first
    options.onRetry?.(first.error)
    const second = await sendOnce(to, deadline)
    // The first may have been stored even though the second certainly was not.
    return first.status === 'unknown' && second.status === 'error' ? first : second
  } finally {
    deadline.end()
  }
}

async function sendOnce(
  { client, item }: { client: MemoryClient; item: OutgoingItem },
  deadline: ReturnType<typeof startDeadline>,
): Promise<MemoryWriteResult> {
  const { content, scope, tags, key, metadata } = item
  const outcome = await deadline.run((signal) =>
    client.writeMemory(content, scope, [...tags], { signal, idempotencyKey: key, metadata }),
  )
  return resultOf(outcome)
}

function mayRetry(client: MemoryClient, { status, error }: MemoryWriteResult): boolean {
  const passing = status === 'unknown' || (status === 'error' && error?.code === 'memory_unavailable')
  return passing && hasIdempotencyKeys(client)
}

function resultOf(outcome: TimedOutcome<MemoryWriteResult>): MemoryWriteResult {
  switch (outcome.kind) {
    case 'done':
      return checkedResult(outcome.value)
    case 'timeout':
      return unknown('The memory service did not answer within the time limit.')
    case 'aborted':
      return unknown('The call was cancelled after the item was sent.')
    case 'thrown':
      return thrownResult(outcome.thrown)
  }
}

function thrownResult(thrown: unknown): MemoryWriteResult {
  if (KgentError.is(thrown) && thrown.code !== 'memory_unknown') return failed(thrown.info)
  return unknown('The memory client failed unexpectedly.')
}

/** A client's answer as the contract has it; an answer of another shape says nothing about what was stored. */
function checkedResult(value: MemoryWriteResult): MemoryWriteResult {
  const status = value?.status
  if (!STATUSES.includes(status)) return unknown('The memory client gave an answer that is none.')
  const id = typeof value.id === 'string' ? value.id : null
  if (status === 'unknown') return { status, id, error: value.error ?? unknown('No answer came.').error }
  if (status === 'error' || status === 'blocked') return { status, id, error: value.error ?? refused(status) }
  return { status, id, error: null }
}

function refused(status: 'error' | 'blocked'): ErrorInfo {
  return status === 'blocked'
    ? errorInfo('memory_disabled', 'The memory does not take writes; nothing was stored.')
    : errorInfo('memory_rejected', 'The memory service refused the item; nothing was stored.')
}

function unknown(what: string): MemoryWriteResult {
  const message = `${what} The item may be stored: do not repeat it blindly.`
  return { status: 'unknown', id: null, error: errorInfo('memory_unknown', message) }
}

function failed(error: ErrorInfo): MemoryWriteResult {
  return { status: 'error', id: null, error }
}
