import type { ErrorInfo } from '@kgent/contracts'
import type { RunLog } from '@kgent/logging'

const MAX_CHARS = 128
const NOTHING = { sha256: '', bytes: 0 }

/** What is known of a job that never became a call. */
export interface RefusedJob {
  callId: string
  runId: string
  tool: string
  inputSha256: string
  attempt: number
}

/** Writes a refused job to the worker's log like any denied call: start, denial, record, end. */
export function recordRefusal(log: RunLog, job: RefusedJob, error: ErrorInfo): void {
  const callId = job.callId.slice(0, MAX_CHARS)
  const tool = job.tool.slice(0, MAX_CHARS)
  const rule = String(error.details?.rule ?? '')
  const data = { tool, toolCallId: callId, attempt: job.attempt }
  const event = (type: 'tool.call.start' | 'tool.call.denied' | 'tool.call.end', more: object) =>
    log.events.record({ type, callId, data: { ...data, ...more } })
  event('tool.call.start', { input: { sha256: job.inputSha256, bytes: 0, shape: null } })
  event('tool.call.denied', { code: error.code, layer: 'runtime', rule, reason: error.message })
  log.logger.recordError({ callId, tool, code: error.code, message: error.message })
  log.logger.record({
    runId: job.runId.slice(0, MAX_CHARS),
    callId,
    toolCallId: callId,
    tool,
    attempt: job.attempt,
    startedAt: new Date().toISOString(),
    durationMs: 0,
    status: 'denied',
    summary: error.message,
    decisions: [
      {
        permission: 'worker',
        resource: null,
        decision: 'deny',
        layer: 'runtime',
        rule,
        reason: error.message,
        requestedBy: [],
      },
    ],
    input: { sha256: job.inputSha256, bytes: 0, shape: null },
    output: NOTHING,
    artifacts: [],
    error,
  })
  event('tool.call.end', { status: 'denied', durationMs: 0, summary: error.message, errorCode: error.code })
}
