import {
  type Actor,
  type ErrorInfo,
  errorInfo,
  type JsonObject,
  KgentError,
  type MemoryClient,
  type MemoryItem,
  type MemoryWriteOptions,
  type MemoryWriteResult,
} from '@kgent/contracts'
import { askRecall } from './ask-recall.ts'
import { createCandidateMemoryClient } from './candidate-client.ts'
import { allowedScopes, checkScope } from './check-scope.ts'
import { checkWrite } from './check-write.ts'
import { keepExactScope } from './keep-exact-scope.ts'
import { memoryKey } from './memory-key.ts'
import { type MemoryLimits, memoryLimits, positive } from './memory-limits.ts'
import { recallLimit } from './recall-limit.ts'
import { type ScanSecrets, secretsIn } from './secrets-in.ts'
import { sendWrite } from './send-write.ts'

/** `disabled`: blocked, and said. `candidate`: held for review. `external`: sent to the client. */
export type MemoryMode = 'disabled' | 'candidate' | 'external'

/** Items of an answer that were left out, and why. */
export interface DroppedItems {
  count: number
  scope: string
  reason: 'foreign' | 'malformed'
}

/** A call was tried again after a passing failure. */
export interface MemoryRetry {
  operation: 'recall' | 'write'
  scope: string
  reason: ErrorInfo
}

export interface CreateMemoryOptions {
  mode: MemoryMode
  /** The external memory: asked by recall in every mode, written to in mode `external`. */
  client?: MemoryClient
  /** Where candidates go; needed in mode `candidate`. */
  candidates?: { file: string }
  /** The scopes that the host allows. */
  scopes: readonly string[]
  limits?: Partial<MemoryLimits>
  /** For a whole call, a second try included. Default 10,000. */
  timeoutMs?: number
  runId: string
  actor?: Actor
  /** Names the kinds of secrets in a text. A candidate that holds one is flagged; an external write is refused. */
  scanSecrets?: ScanSecrets
  onDropped?: (dropped: DroppedItems) => void
  onRetry?: (retry: MemoryRetry) => void
}

const DEFAULT_TIMEOUT_MS = 10_000
const MODES = ['disabled', 'candidate', 'external']

/**
 * Governs a memory: write mode, allowed scopes, bounds, time limit, one second try where it is safe, secret scan,
 * provenance, and that nothing of another scope comes back. Clients stay thin.
 *
 * **Throws:** `KgentError` (`config_invalid`) for options that cannot work.
 */
export function createMemory(options: CreateMemoryOptions): MemoryClient {
  const governed = governedOptions(options)
  return {
    scopes: governed.scopes,
    recallMemory: (query, scope, limit, { signal } = {}) => recall(governed, { query, scope, limit, signal }),
    writeMemory: (content, scope, tags, writeOptions = {}) =>
      write(governed, { content, scope, tags: tags ?? [], options: writeOptions }),
  }
}

interface Governed extends CreateMemoryOptions {
  limits: MemoryLimits
  timeoutMs: number
  /** Where writes go; undefined where they are switched off. */
  target: MemoryClient | undefined
}

function governedOptions(options: CreateMemoryOptions): Governed {
  if (!MODES.includes(options.mode)) {
    throw new KgentError('config_invalid', `The memory mode must be one of ${MODES.join(', ')}.`)
  }
  return {
    ...options,
    scopes: allowedScopes(options.scopes),
    limits: memoryLimits(options.limits),
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    target: targetOf(options),
  }
}

function targetOf({ mode, client, candidates, ...options }: CreateMemoryOptions): MemoryClient | undefined {
  if (mode === 'disabled') return undefined
  if (mode === 'candidate') {
    if (candidates) return createCandidateMemoryClient({ ...options, file: candidates.file })
    throw new KgentError('config_invalid', 'Memory mode candidate needs candidates: { file }.')
  }
  if (client) return client
  throw new KgentError('config_invalid', 'Memory mode external needs a client.')
}

interface RecallCall {
  query: string
  scope: string
  limit: number
  signal: AbortSignal | undefined
}

async function recall(memory: Governed, { query, scope, limit, signal }: RecallCall): Promise<MemoryItem[]> {
  const scopeFault = checkScope(scope, memory.scopes)
  if (scopeFault) throw new KgentError(scopeFault.code, scopeFault.message, scopeFault)
  const most = recallLimit(limit, memory.limits.maxRecall)
  if (typeof query !== 'string') throw new KgentError('invalid_input', 'The query must be text.')
  if (most === 0 || !memory.client) return []
  const answer = await askRecall(
    { client: memory.client, question: { query, scope, limit: most } },
    {
      timeoutMs: memory.timeoutMs,
      signal,
      onRetry: ({ info }) => tell(memory.onRetry, { operation: 'recall', scope, reason: info }),
    },
  )
  const { items, foreign, malformed } = keepExactScope(answer, { scope, limit: most })
  if (foreign > 0) tell(memory.onDropped, { count: foreign, scope, reason: 'foreign' })
  if (malformed > 0) tell(memory.onDropped, { count: malformed, scope, reason: 'malformed' })
  return items
}

interface WriteCall {
  content: string
  scope: string
  tags: string[]
  options: MemoryWriteOptions
}

async function write(memory: Governed, call: WriteCall): Promise<MemoryWriteResult> {
  const { content, scope, tags, options } = call
  if (!memory.target)
    return result('blocked', 'memory_disabled', 'Writing memory is switched off; nothing was stored.')
  const fault = checkScope(scope, memory.scopes) ?? checkWrite({ content, tags }, memory.limits)
  if (fault) return { status: 'error', id: null, error: fault }
  const refusal = await refuseSecrets(memory, [content, ...tags])
  if (refusal) return refusal
  const key = options.idempotencyKey ?? memoryKey(scope, content)
  const item = { content, scope, tags, key, metadata: stamped(memory, options.metadata ?? {}) }
  return sendWrite(
    { client: memory.target, item },
    {
      timeoutMs: memory.timeoutMs,
      signal: options.signal,
      onRetry: (reason) => tell(memory.onRetry, { operation: 'write', scope, reason }),
    },
  )
}

/** A candidate is kept and flagged, for a person to see; what leaves the machine must not hold a secret. */
async function refuseSecrets(memory: Governed, texts: readonly string[]): Promise<MemoryWriteResult | null> {
  if (memory.mode !== 'external') return null
  const found = await secretsIn(texts, memory.scanSecrets)
  if (found.length === 0) return null
  const what = found.includes('scan-failed')
    ? 'could not be searched for secrets'
    : `seems to hold a secret (${found.join(', ')})`
  return result('error', 'memory_rejected', `The content ${what}; nothing was stored.`)
}

/** Provenance: what the host fixed cannot be overwritten by a call. */
function stamped({ runId, actor }: Governed, metadata: JsonObject): JsonObject {
  return { ...metadata, runId, actor: actor?.id ?? null, at: new Date().toISOString() }
}

function result(status: 'blocked' | 'error', code: ErrorInfo['code'], message: string): MemoryWriteResult {
  return { status, id: null, error: errorInfo(code, message) }
}

/** Telling must not break the call. */
function tell<T>(listener: ((told: T) => void) | undefined, told: T): void {
  try {
    listener?.(told)
  } catch {
    // The listener's own fault.
  }
}
