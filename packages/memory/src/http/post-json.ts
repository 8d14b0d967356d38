import type { JsonObject } from '@kgent/contracts'
import type { HttpService } from './http-client.ts'

/** A request of one call. */
export interface HttpRequest {
  path: '/recall' | '/items'
  body: JsonObject
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

/**
 * What came back. `unsent`: the service was not reached, so that nothing happened there. `lost`: it may have been reached,
 * and no whole answer came. `body` is null where the answer is no JSON object.
 */
export type HttpAnswer =
  | { kind: 'answer'; status: number; body: Record<string, unknown> | null }
  | { kind: 'unsent' | 'lost' | 'aborted' }

/** Sends one POST and reads a bounded answer. Never rejects. */
export async function postJson(service: HttpService, request: HttpRequest): Promise<HttpAnswer> {
  const { path, body, signal } = request
  if (signal?.aborted) return { kind: 'unsent' }
  const headers = new Headers(service.headers)
  headers.set('content-type', 'application/json')
  headers.set('accept', 'application/json')
  for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value)
  try {
    const response = await fetch(`${service.baseUrl}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      redirect: 'manual',
      ...(signal && { signal }),
    })
    const text = await readBounded(response, service.maxResponseBytes)
    return text === null ? { kind: 'lost' } : { kind: 'answer', status: response.status, body: parse(text) }
  } catch (thrown) {
    if (signal?.aborted) return { kind: 'aborted' }
    return { kind: wasUnsent(thrown) ? 'unsent' : 'lost' }
  }
}

async function readBounded(response: Response, maxBytes: number): Promise<string | null> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > maxBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

const BEFORE_SENDING = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** `fetch` hides what happened in its cause; several addresses that were tried in turn are in `errors`. */
function wasUnsent(thrown: unknown): boolean {
  const cause = (thrown as { cause?: { code?: string; errors?: { code?: string }[] } }).cause
  const codes = [cause?.code, ...(cause?.errors ?? []).map(({ code }) => code)].filter(
    (code) => code !== undefined,
  )
  return codes.length > 0 && codes.every((code) => BEFORE_SENDING.includes(code))
}

/** The service's own words, where it has some: short and on one line. */
export function serviceMessage(body: Record<string, unknown> | null): string {
  const error = body?.error
  const message =
    typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error
  if (typeof message !== 'string') return ''
  const line = message.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return line === '' ? '' : ` It says: ${line.length > 200 ? `${line.slice(0, 199)}…` : line}`
}
