import type { ErrorInfo } from './error-info.ts'
import type { JsonObject } from './json.ts'

export interface MemoryItem {
  id: string
  content: string
  scope: string
  score: number | null
  metadata: JsonObject
}

/**
 * `accepted`: the service took it and stores it later. `candidate`: held for a person's review. `blocked`: writing is
 * off. `unknown`: sent, then no answer: it may be stored.
 */
export type MemoryWriteStatus =
  | 'written'
  | 'duplicate'
  | 'accepted'
  | 'candidate'
  | 'blocked'
  | 'unknown'
  | 'error'

export interface MemoryWriteResult {
  status: MemoryWriteStatus
  id: string | null
  error: ErrorInfo | null
}

export interface MemoryRecallOptions {
  signal?: AbortSignal
}

export interface MemoryWriteOptions {
  signal?: AbortSignal
  /** Two writes with one key are one item. Default: sha256 of scope NUL normalised content. */
  idempotencyKey?: string
  /** Provenance, stamped by kgent: run, call, tool, actor. */
  metadata?: JsonObject
}

/**
 * A memory outside kgent.
 * **Contract:** `recallMemory` returns at most `limit` items of exactly `scope`; a service that cannot answer is a
 * rejection with a `KgentError` of code `memory_unavailable`, never an empty list. `writeMemory` never rejects.
 */
export interface MemoryClient {
  recallMemory(
    query: string,
    scope: string,
    limit: number,
    options?: MemoryRecallOptions,
  ): Promise<MemoryItem[]>
  writeMemory(
    content: string,
    scope: string,
    tags: string[],
    options?: MemoryWriteOptions,
  ): Promise<MemoryWriteResult>
  /** The scopes that the host allows, where it says so. Absent: any. One only: it is the default of the tools. */
  readonly scopes?: readonly string[]
}
