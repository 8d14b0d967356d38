import { KgentError, type MemoryItem } from '@kgent/contracts'
import { keepExactScope } from '../keep-exact-scope.ts'
import { MemoryUnavailable } from '../memory-unavailable.ts'
import type { HttpService } from './http-client.ts'
import { postJson, serviceMessage } from './post-json.ts'

interface RecallCall {
  query: string
  scope: string
  limit: number
  signal: AbortSignal | undefined
}

/** `POST /recall`. **Throws:** `MemoryUnavailable`, `KgentError` (`aborted`, `memory_scope`). */
export async function recallOverHttp(service: HttpService, call: RecallCall): Promise<MemoryItem[]> {
  const { query, scope, limit, signal } = call
  if (scope === '') throw new KgentError('memory_scope', 'A memory scope is needed.')
  if (signal?.aborted) throw new KgentError('aborted', 'The call was cancelled.')
  if (!(limit >= 1)) return []
  const most = Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER)
  const answer = await postJson(service, { path: '/recall', body: { query, scope, limit: most }, signal })
  if (answer.kind === 'aborted') throw new KgentError('aborted', 'The call was cancelled.')
  if (answer.kind !== 'answer') throw new MemoryUnavailable('The memory service could not be reached.')
  const { status, body } = answer
  if (status !== 200)
    throw new MemoryUnavailable(`The memory service answered ${status}.${serviceMessage(body)}`)
  if (!Array.isArray(body?.items)) {
    throw new MemoryUnavailable('The memory service answered with something that is no list of items.')
  }
  return keepExactScope(body.items, { scope, limit: most }).items
}
