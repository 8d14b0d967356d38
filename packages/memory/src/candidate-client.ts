import { randomUUID } from 'node:crypto'
import { type Actor, errorInfo, type JsonObject, KgentError, type MemoryWriteResult } from '@kgent/contracts'
import { appendLine } from './append-line.ts'
import type { MemoryCandidate } from './candidate.ts'
import type { DescribedMemoryClient } from './memory-abilities.ts'
import { memoryKey } from './memory-key.ts'
import { type ScanSecrets, secretsIn } from './secrets-in.ts'

export interface CandidateMemoryOptions {
  /** Host path of the file, usually `<run>/archive/candidate-memory.jsonl`. It and its folder are made at the first write. */
  file: string
  runId?: string
  actor?: Actor
  /** Names the kinds of secrets in a text; what holds one is kept, flagged. Default: nothing is looked for. */
  scanSecrets?: ScanSecrets
}

/**
 * A memory that stores nothing by itself: each write becomes one line that waits for a person. Safe for many writers in
 * many processes. Recall finds nothing.
 */
export function createCandidateMemoryClient(options: CandidateMemoryOptions): DescribedMemoryClient {
  if (typeof options.file !== 'string' || options.file === '') {
    throw new KgentError('config_invalid', 'Give file, the host path of the candidate file.')
  }
  return {
    supports: { stores: false, idempotencyKeys: false, metadata: false },
    recallMemory: async () => [],
    async writeMemory(content, scope, tags, { signal, idempotencyKey, metadata = {} } = {}) {
      const flagged = await secretsIn([content, ...tags], options.scanSecrets)
      if (signal?.aborted) return failed('aborted', 'The call was cancelled; nothing was kept.')
      const candidate: MemoryCandidate = {
        v: 1,
        id: randomUUID(),
        key: idempotencyKey ?? memoryKey(scope, content),
        ...provenance(metadata, options),
        at: new Date().toISOString(),
        scope,
        tags: [...tags],
        content,
        flagged,
      }
      return append(options.file, candidate)
    },
  }
}

function append(file: string, candidate: MemoryCandidate): MemoryWriteResult {
  try {
    appendLine(file, JSON.stringify(candidate))
    return { status: 'candidate', id: candidate.id, error: null }
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code
    if (code === 'ENOSPC' || code === 'EDQUOT')
      return failed('disk_full', 'The disk has no room; nothing was kept.')
    return failed(
      'io_error',
      `The candidate could not be written (${code ?? 'unknown fault'}); nothing was kept.`,
    )
  }
}

function failed(code: 'aborted' | 'disk_full' | 'io_error', message: string): MemoryWriteResult {
  return { status: 'error', id: null, error: errorInfo(code, message) }
}

/** What the host fixed wins over what a call's metadata says. */
function provenance(metadata: JsonObject, { runId, actor }: CandidateMemoryOptions) {
  const text = (key: string) => (typeof metadata[key] === 'string' ? metadata[key] : null)
  return {
    runId: runId ?? text('runId'),
    callId: text('callId'),
    tool: text('tool'),
    actor: actor ?? actorOf(text('actor')),
    model: text('model'),
  }
}

function actorOf(id: string | null): Actor | null {
  return id === null ? null : { id }
}
