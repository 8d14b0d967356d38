import { KgentError } from '@kgent/contracts'
import type { DescribedMemoryClient } from '../memory-abilities.ts'
import { recallOverHttp } from './recall-over-http.ts'
import { writeOverHttp } from './write-over-http.ts'

export interface HttpMemoryOptions {
  /** Address of the service, e.g. `https://memory.example.org/v1`; see `openapi.json` for what stands below it. */
  baseUrl: string
  /** Sent as `Authorization: Bearer …`. */
  token?: string
  headers?: Readonly<Record<string, string>>
  /** Longest answer that is read. Default 4 MiB. */
  maxResponseBytes?: number
}

/** A service as the requests see it. */
export interface HttpService {
  readonly baseUrl: string
  readonly headers: Headers
  readonly maxResponseBytes: number
}

const DEFAULT_MAX_RESPONSE_BYTES = 4 * 1024 * 1024

/**
 * A memory behind the small HTTP interface that `@kgent/memory/openapi.json` describes: a team's own service. It sends
 * one request a call, follows no redirect and has no time limit of its own: `createMemory` or a signal gives one.
 *
 * **Throws:** `KgentError` (`config_invalid`) for an address or header that cannot be used.
 */
export function createHttpMemoryClient(options: HttpMemoryOptions): DescribedMemoryClient {
  const service: HttpService = {
    baseUrl: checkedUrl(options.baseUrl),
    headers: checkedHeaders(options),
    maxResponseBytes: options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
  }
  return {
    supports: { stores: true, idempotencyKeys: true, metadata: true },
    recallMemory: (query, scope, limit, { signal } = {}) =>
      recallOverHttp(service, { query, scope, limit, signal }),
    writeMemory: (content, scope, tags, writeOptions = {}) =>
      writeOverHttp(service, { content, scope, tags, ...writeOptions }),
  }
}

function checkedUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new KgentError(
      'config_invalid',
      'The baseUrl of the memory service must be an http or https address.',
    )
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new KgentError(
      'config_invalid',
      'The baseUrl holds a user, query or fragment; give the token as token.',
    )
  }
  return url.href.replace(/\/+$/, '')
}

function checkedHeaders({ token, headers = {} }: HttpMemoryOptions): Headers {
  try {
    const checked = new Headers(headers)
    if (token !== undefined) checked.set('authorization', `Bearer ${token}`)
    return checked
  } catch {
    throw new KgentError(
      'config_invalid',
      'The token or a header holds a character that HTTP headers cannot carry.',
    )
  }
}
