import type {
  EffectivePermissionPolicy,
  PermissionDecision,
  PermissionEffect,
  ResolvedPermissionRequest,
  ToolCallRecord,
} from '@kgent/contracts'
import { type CompiledPolicy, compiledFormOf } from './compiled-policy.ts'
import { mountOf } from './mount-index.ts'
import { EFFECT_WEIGHT } from './rule-order.ts'

/** One decision of a recorded call that another policy would take differently. */
export interface ChangedDecision {
  readonly was: PermissionDecision
  /** What the other policy answers; in observe mode its `observed` is what counts. */
  readonly now: PermissionDecision
  readonly change: 'stricter' | 'looser'
}

/** A recorded call with what would change about it. */
export interface ChangedCall {
  readonly seq: number
  readonly runId: string
  readonly callId: string
  readonly tool: string
  readonly startedAt: string
  readonly changes: readonly ChangedDecision[]
}

/** What a replay saw. `calls` counts the records, `decisions` what was compared, `unreadable` what was no record. */
export interface ReplayReport {
  readonly calls: number
  readonly decisions: number
  readonly unreadable: number
  readonly changed: readonly ChangedCall[]
}

/**
 * Decides recorded calls again on another policy and runs nothing. It sees what the record holds: which entries of a
 * listing or search the other policy would hide is known only as far as the record names them.
 */
export async function replayRecords(
  records: AsyncIterable<ToolCallRecord> | Iterable<ToolCallRecord>,
  policy: EffectivePermissionPolicy,
): Promise<ReplayReport> {
  const report = { calls: 0, decisions: 0, unreadable: 0, changed: [] as ChangedCall[] }
  for await (const record of records) {
    if (!isRecord(record)) {
      report.unreadable += 1
      continue
    }
    const decided = record.decisions.filter(isPolicyDecision)
    const changes = decided.flatMap((was) => changeOf(was, { tool: record.tool, policy }))
    report.calls += 1
    report.decisions += decided.length
    const { seq, runId, callId, tool, startedAt } = record
    if (changes.length > 0) report.changed.push({ seq, runId, callId, tool, startedAt, changes })
  }
  return report
}

function isRecord(record: Partial<ToolCallRecord> | null): record is ToolCallRecord {
  return typeof record?.tool === 'string' && Array.isArray(record.decisions)
}

/** What the sandbox refused by itself is no policy's to change. */
function isPolicyDecision({ layer, rule }: PermissionDecision): boolean {
  return layer !== 'sandbox' || (rule !== 'path_outside' && rule !== 'path_invalid')
}

interface Replay {
  tool: string
  policy: EffectivePermissionPolicy
}

function changeOf(was: PermissionDecision, { tool, policy }: Replay): ChangedDecision[] {
  const answers = requestsOf(was, { tool, policy }).map((request) => policy.check(request))
  const now = answers.reduce((strictest, answer) =>
    weightOf(answer) > weightOf(strictest) ? answer : strictest,
  )
  const difference = weightOf(now) - EFFECT_WEIGHT[was.decision]
  return difference === 0 ? [] : [{ was, now, change: difference > 0 ? 'stricter' : 'looser' }]
}

function weightOf({ observed, decision }: PermissionDecision): number {
  const effect: PermissionEffect = observed ?? decision
  return EFFECT_WEIGHT[effect]
}

/**
 * The requests that may have led to a decision. A record keeps the resource without saying whether it was a path, a scope
 * or other text; where the permission does not tell, each reading that is possible is asked and the strictest counts.
 */
function requestsOf(
  { permission, resource }: PermissionDecision,
  { tool, policy }: Replay,
): ResolvedPermissionRequest[] {
  const request = { permission, tool }
  if (resource === null) return [request]
  const compiled = compiledFormOf(policy)
  if (permission.startsWith('filesystem')) return [{ ...request, ...asPath(resource, compiled) }]
  if (permission === 'memoryWrite') return [{ ...request, scope: resource }]
  const readings: ResolvedPermissionRequest[] = [
    { ...request, resource },
    { ...request, scope: resource },
  ]
  const isPath = compiled?.mounts && mountOf(compiled.mounts, resource) !== null
  return isPath ? [{ ...request, ...asPath(resource, compiled) }] : readings
}

function asPath(path: string, compiled: CompiledPolicy | null): { path: string; ignoreCase: boolean } {
  const mount = compiled?.mounts ? mountOf(compiled.mounts, path) : null
  return { path, ignoreCase: mount?.ignoresCase ?? false }
}
