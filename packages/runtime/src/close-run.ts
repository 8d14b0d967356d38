import {
  type ErrorInfo,
  errorInfo,
  type PermissionLayer,
  type RunEvent,
  type ToolCallStatus,
} from '@kgent/contracts'
import { countWaiting } from '@kgent/memory'
import type { RunParts } from './assemble-run.ts'
import { type RunStatus, writeManifest } from './manifest.ts'

/** A call that the policy, the sandbox or a person refused. */
export interface Refusal {
  tool: string
  code: string
  resource: string | null
  layer: PermissionLayer | null
  rule: string | null
  reason: string
}

/** How a run went: what the person who started it wants to know at the end. */
export interface RunSummary {
  id: string
  dir: string
  status: RunStatus
  /** Calls of this process; an earlier part of a continued run is not counted. */
  calls: number
  byStatus: Partial<Record<ToolCallStatus, number>>
  refusals: Refusal[]
  artifacts: number
  /** Candidates of this run that wait for a person's review. */
  memory: { waiting: number }
  log: { failure: ErrorInfo | null }
}

/** Counts events as they pass, so that a summary needs no second reading of the log. */
export interface RunTally {
  calls: number
  byStatus: Partial<Record<ToolCallStatus, number>>
  refusals: Refusal[]
  artifacts: number
}

const MAX_REFUSALS = 200

/** Starts counting; the tally is read when the run is closed. */
export function tallyEvents(subscribe: (listener: (event: RunEvent) => void) => unknown): RunTally {
  const tally: RunTally = { calls: 0, byStatus: {}, refusals: [], artifacts: 0 }
  subscribe((event) => {
    if (event.type === 'artifact.created') tally.artifacts += 1
    if (event.type === 'tool.call.denied' && tally.refusals.length < MAX_REFUSALS)
      tally.refusals.push(refusalOf(event))
    if (event.type !== 'tool.call.end') return
    const status = event.data.status as ToolCallStatus
    tally.calls += 1
    tally.byStatus[status] = (tally.byStatus[status] ?? 0) + 1
  })
  return tally
}

function refusalOf({ data }: RunEvent): Refusal {
  const text = (key: string) => (typeof data[key] === 'string' ? (data[key] as string) : null)
  return {
    tool: text('tool') ?? '',
    code: text('code') ?? '',
    resource: text('resource'),
    layer: text('layer') as PermissionLayer | null,
    rule: text('rule'),
    reason: text('reason') ?? '',
  }
}

/** Ends a run: last event, heads of the logs, manifest, lock. */
export async function closeRun(parts: RunParts, status: Exclude<RunStatus, 'running'>): Promise<RunSummary> {
  const { folder, log, tally, context } = parts
  const waiting = await countWaiting(folder.dir)
  log.events.record({ type: 'run.end', data: { status, calls: tally.calls, memoryWaiting: waiting } })
  const closed = await log.close()
  context.sandbox.close()
  const manifest = { ...parts.manifest, status, endedAt: new Date().toISOString(), lastHash: closed.heads }
  const failure = writeLast(folder.manifest, manifest) ?? closed.failure
  folder.release()
  return {
    id: folder.id,
    dir: folder.dir,
    status,
    calls: tally.calls,
    byStatus: tally.byStatus,
    refusals: tally.refusals,
    artifacts: tally.artifacts,
    memory: { waiting },
    log: { failure },
  }
}

function writeLast(file: string, manifest: RunParts['manifest']): ErrorInfo | null {
  try {
    writeManifest(file, manifest)
    return null
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown fault'
    return errorInfo('log_unavailable', `The manifest run.json could not be written (${code}).`)
  }
}
