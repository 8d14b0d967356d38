import {
  type ErrorCode,
  errorInfo,
  type MemoryWriteOptions,
  type MemoryWriteResult,
  type MemoryWriteStatus,
} from '@kgent/contracts'
import { memoryKey } from '../memory-key.ts'
import type { HttpService } from './http-client.ts'
import { type HttpAnswer, postJson, serviceMessage } from './post-json.ts'

interface WriteCall extends MemoryWriteOptions {
  content: string
  scope: string
  tags: string[]
}

/** `POST /items` with the key as `Idempotency-Key`. Never rejects. */
export async function writeOverHttp(service: HttpService, call: WriteCall): Promise<MemoryWriteResult> {
  const { content, scope, tags, metadata = {}, signal } = call
  if (scope === '') return failed('memory_scope', 'A memory scope is needed; nothing was stored.')
  if (signal?.aborted) return failed('aborted', 'The call was cancelled; nothing was sent.')
  const key = headerKey(call.idempotencyKey ?? memoryKey(scope, content))
  const answer = await postJson(service, {
    path: '/items',
    body: { content, scope, tags, metadata },
    headers: { 'idempotency-key': key },
    signal,
  })
  return answer.kind === 'answer' ? resultOf(answer) : lostResult(answer.kind)
}

/** A key that a header cannot carry is sent as its hash: equal keys stay equal. */
function headerKey(key: string): string {
  return /^[\x21-\x7e]{1,200}$/.test(key) ? key : memoryKey('key', key)
}

function lostResult(kind: 'unsent' | 'lost' | 'aborted'): MemoryWriteResult {
  if (kind === 'unsent')
    return failed('memory_unavailable', 'The memory service could not be reached; nothing was stored.')
  return unknown(
    kind === 'lost' ? 'The connection to the memory service was lost.' : 'The call was cancelled.',
  )
}

type Answer = Extract<HttpAnswer, { kind: 'answer' }>

const SUCCESS: Readonly<Record<number, MemoryWriteStatus>> = {
  200: 'written',
  201: 'written',
  202: 'accepted',
  409: 'duplicate',
}

/** Statuses with which a service says that it did nothing, and that trying later may help. */
const NOT_NOW = [408, 425, 429, 503]

function resultOf({ status, body }: Answer): MemoryWriteResult {
  const success = SUCCESS[status]
  if (success !== undefined)
    return body ? succeeded(success, body) : unknown('The answer of the memory service is no JSON.')
  const said = `The memory service answered ${status}.${serviceMessage(body)}`
  if (NOT_NOW.includes(status)) return failed('memory_unavailable', `${said} Nothing was stored.`)
  if (status === 401 || status === 403)
    return failed('memory_rejected', `${said} The host’s credentials are refused.`)
  if (status >= 300 && status < 500) return failed('memory_rejected', `${said} Nothing was stored.`)
  return unknown(said)
}

function succeeded(status: MemoryWriteStatus, body: Record<string, unknown>): MemoryWriteResult {
  return { status, id: typeof body.id === 'string' ? body.id : null, error: null }
}

function failed(code: ErrorCode, message: string): MemoryWriteResult {
  return { status: 'error', id: null, error: errorInfo(code, message) }
}

function unknown(what: string): MemoryWriteResult {
  return {
    status: 'unknown',
    id: null,
    error: errorInfo('memory_unknown', `${what} The item may be stored.`),
  }
}
