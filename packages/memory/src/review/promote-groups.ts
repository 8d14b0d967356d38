import { randomUUID } from 'node:crypto'
import {
  type ErrorInfo,
  errorInfo,
  type JsonObject,
  type MemoryClient,
  type MemoryWriteResult,
} from '@kgent/contracts'
import { hasIdempotencyKeys } from '../memory-abilities.ts'
import { memoryKey } from '../memory-key.ts'
import { sendWrite } from '../send-write.ts'
import type { MemoryDecision } from './decision.ts'
import type { DecisionLedger } from './decision-ledger.ts'
import type { ReviewGroup } from './review-group.ts'

export interface PromoteOptions {
  /** Also store what seems to hold a secret. Default false. */
  allowFlagged?: boolean
  /**
   * Send again what was sent before without an answer, although the client does not keep keys: it may then be stored twice.
   * Default false. Clients that keep keys are always asked again.
   */
  resendUncertain?: boolean
  /** Only groups of this scope. */
  scope?: string
  /** For each item. Default 10,000. */
  timeoutMs?: number
  signal?: AbortSignal
  onPromoted?: (promoted: PromotedGroup) => void
}

/** What became of one group. `skipped`: nothing was sent. */
export interface PromotedGroup {
  key: string
  status: MemoryWriteResult['status'] | 'skipped'
  id: string | null
  error: ErrorInfo | null
}

export interface PromotionReport {
  stored: number
  skipped: number
  failed: number
  groups: PromotedGroup[]
}

interface Promotion {
  client: MemoryClient
  ledger: DecisionLedger
  groups: readonly ReviewGroup[]
  by: string | null
}

const DEFAULT_TIMEOUT_MS = 10_000

/** Sends accepted groups one after the other: intent in the ledger, write with the group's key, outcome in the ledger. */
export async function promoteGroups(promotion: Promotion, options: PromoteOptions): Promise<PromotionReport> {
  const report: PromotionReport = { stored: 0, skipped: 0, failed: 0, groups: [] }
  for (const group of promotion.groups) {
    if (options.signal?.aborted) break
    if (options.scope !== undefined && group.scope !== options.scope) continue
    const promoted = await promoteOne({ ...promotion, group }, options)
    report[tallyOf(promoted)] += 1
    report.groups.push(promoted)
    options.onPromoted?.(promoted)
  }
  return report
}

function tallyOf({ status }: PromotedGroup): 'stored' | 'skipped' | 'failed' {
  if (status === 'skipped') return 'skipped'
  return ['written', 'duplicate', 'accepted'].includes(status) ? 'stored' : 'failed'
}

type OnePromotion = Promotion & { group: ReviewGroup }

async function promoteOne(promotion: OnePromotion, options: PromoteOptions): Promise<PromotedGroup> {
  const { ledger, group, by } = promotion
  const refusal = await whyNot(promotion, options)
  if (refusal) return skipped(group, refusal)
  const attempt = randomUUID()
  const note = (line: AttemptLine) =>
    noteAttempt(ledger, { v: 1, at: new Date().toISOString(), by, key: group.key, attempt, ...line })
  const noStart = note({ type: 'promote.start', storeKey: storeKey(group) })
  if (noStart) return skipped(group, noStart)
  const withdrawal = await whyNot(promotion, { ...options, attempt })
  if (withdrawal) {
    note({ type: 'promote.end', status: 'withdrawn', id: null, code: null })
    return skipped(group, withdrawal)
  }
  const { status, id, error } = await send(promotion, options)
  const noEnd = note({ type: 'promote.end', status, id, code: error?.code ?? null })
  return { key: group.key, status, id, error: error ?? noEnd }
}

type Attempt = MemoryDecision & { type: 'promote.start' | 'promote.end' }
type AttemptLine =
  | Pick<Attempt & { type: 'promote.start' }, 'type' | 'storeKey'>
  | Pick<Attempt & { type: 'promote.end' }, 'type' | 'status' | 'id' | 'code'>

function noteAttempt(ledger: DecisionLedger, line: Attempt): ErrorInfo | null {
  try {
    ledger.append(line)
    return null
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown fault'
    return errorInfo('io_error', `The ledger could not be written (${code}).`)
  }
}

/**
 * Why nothing may be sent: decisions may have been made, and items stored, since the groups were listed. Asked before the
 * attempt is noted, and again after: with a client that keeps no keys, only the oldest open attempt may send.
 */
async function whyNot(
  { client, ledger, group }: OnePromotion,
  options: PromoteOptions & { attempt?: string },
): Promise<ErrorInfo | null> {
  await ledger.refresh()
  const { verdict, stored, open, edited } = ledger.of(group.key)
  if (stored) return errorInfo('invalid_input', 'It is stored already.')
  if (verdict !== 'accepted' || (edited?.content ?? group.proposed) !== group.content) {
    return errorInfo('invalid_input', 'Another decision was made about it meanwhile.')
  }
  if (group.flagged.length > 0 && !options.allowFlagged) {
    const kinds = group.flagged.join(', ')
    return errorInfo(
      'memory_rejected',
      `It seems to hold a secret (${kinds}); edit it, or allow flagged ones.`,
    )
  }
  const isFirst = open.length === 0 || open[0]?.attempt === options.attempt
  return isFirst || maySendAgain(client, options) ? null : uncertain()
}

function maySendAgain(client: MemoryClient, { resendUncertain = false }: PromoteOptions): boolean {
  return hasIdempotencyKeys(client) || resendUncertain
}

function uncertain(): ErrorInfo {
  return errorInfo(
    'memory_unknown',
    'It was sent before and the answer was lost. This client keeps no keys, so sending it again might store it twice.',
  )
}

function send({ client, group, by }: OnePromotion, options: PromoteOptions): Promise<MemoryWriteResult> {
  const item = {
    content: group.content,
    scope: group.scope,
    tags: [...group.tags],
    key: storeKey(group),
    metadata: provenance(group, by),
  }
  return sendWrite(
    { client, item },
    { timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS, signal: options.signal },
  )
}

/** An edited text is another item than the proposed one. */
function storeKey({ key, scope, content, proposed }: ReviewGroup): string {
  return content === proposed ? key : memoryKey(scope, content)
}

function provenance({ origins, runs }: ReviewGroup, by: string | null): JsonObject {
  const [first] = origins
  return {
    runId: first?.run ?? null,
    callId: first?.callId ?? null,
    tool: first?.tool ?? null,
    actor: first?.actor ?? null,
    model: first?.model ?? null,
    at: first?.at ?? null,
    seenInRuns: runs.length,
    acceptedBy: by,
  }
}

function skipped({ key }: ReviewGroup, error: ErrorInfo): PromotedGroup {
  return { key, status: 'skipped', id: null, error }
}
