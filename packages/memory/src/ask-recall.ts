import { KgentError, type MemoryClient, type MemoryItem } from '@kgent/contracts'
import { startDeadline, type TimedOutcome } from './deadline.ts'
import { MemoryUnavailable } from './memory-unavailable.ts'

export interface Question {
  query: string
  scope: string
  limit: number
}

export interface AskOptions {
  timeoutMs: number
  signal?: AbortSignal | undefined
  onRetry?: ((reason: MemoryUnavailable) => void) | undefined
}

/**
 * Asks a client within a time limit; asking again is always safe, so that a client that cannot answer is asked once more
 * in what is left of the time.
 *
 * **Throws:** `MemoryUnavailable`; `KgentError` (`aborted`, or what else the client says).
 */
export async function askRecall(
  of: { client: MemoryClient; question: Question },
  options: AskOptions,
): Promise<MemoryItem[]> {
  const deadline = startDeadline(options.timeoutMs, options.signal)
  try {
    const first = await askOnce(of, deadline)
    if (Array.isArray(first)) return first
    if (!(first instanceof MemoryUnavailable) || deadline.signal.aborted) throw first
    options.onRetry?.(first)
    const second = await askOnce(of, deadline)
    if (Array.isArray(second)) return second
    throw second
  } finally {
    deadline.end()
  }
}

async function askOnce(
  { client, question }: { client: MemoryClient; question: Question },
  deadline: ReturnType<typeof startDeadline>,
): Promise<MemoryItem[] | KgentError> {
  const { query, scope, limit } = question
  return answerOf(await deadline.run((signal) => client.recallMemory(query, scope, limit, { signal })))
}

function answerOf(outcome: TimedOutcome<MemoryItem[]>): MemoryItem[] | KgentError {
  switch (outcome.kind) {
    case 'done':
      return Array.isArray(outcome.value)
        ? outcome.value
        : new MemoryUnavailable('The memory client gave an answer that is no list of items.')
    case 'timeout':
      return new MemoryUnavailable('The memory service did not answer within the time limit.')
    case 'aborted':
      return new KgentError('aborted', 'The call was cancelled.')
    case 'thrown':
      return thrownError(outcome.thrown)
  }
}

function thrownError(thrown: unknown): KgentError {
  if (!KgentError.is(thrown)) return new MemoryUnavailable('The memory client failed unexpectedly.')
  if (thrown.code !== 'memory_unavailable') return thrown
  return new MemoryUnavailable(thrown.message, thrown.info)
}
