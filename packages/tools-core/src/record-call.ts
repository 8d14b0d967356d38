import type { ErrorInfo, JsonObject, PermissionDecision } from '@kgent/contracts'
import type { Answer, Call, CallServices } from './call.ts'
import { sha256 } from './canonical-json.ts'

/** The start event of a call. */
export function recordStart(services: CallServices, call: Call): void {
  services.context.events.record({
    type: 'tool.call.start',
    callId: call.callId,
    data: { tool: call.toolName, toolCallId: call.toolCallId, attempt: call.attempt, input: call.input },
  })
}

/** Everything that is written when a call ends: artifacts, refusal, record and end event. */
export function recordEnd(services: CallServices, call: Call, answer: Answer): void {
  const { events, logger } = services.context
  const durationMs = Math.round((performance.now() - call.startedTick) * 1000) / 1000
  for (const artifact of answer.artifacts) {
    events.record({ type: 'artifact.created', callId: call.callId, data: { ...artifact } })
  }
  if (answer.status === 'denied') recordDenial(services, call, answer)
  if (isRejection(answer)) recordRejection(services, call, answer.result.error)
  logger.record(recordOf(services, { call, answer, durationMs }))
  events.record({ type: 'tool.call.end', callId: call.callId, data: endData(call, answer, durationMs) })
}

function recordOf(services: CallServices, ended: { call: Call; answer: Answer; durationMs: number }) {
  const { call, answer, durationMs } = ended
  const { result } = answer
  return {
    runId: services.context.runId,
    callId: call.callId,
    toolCallId: call.toolCallId,
    tool: call.toolName,
    attempt: call.attempt,
    startedAt: call.startedAt.toISOString(),
    durationMs,
    status: answer.status,
    summary: result.summary,
    decisions: [...answer.decisions],
    input: call.input,
    output: { sha256: sha256(answer.dataText), bytes: Buffer.byteLength(answer.dataText) },
    artifacts: answer.artifacts.map(({ path, bytes, sha256: hash }) => ({ path, bytes, sha256: hash })),
    error: result.error,
    ...(answer.replayOf === undefined ? {} : { replayOf: answer.replayOf }),
  }
}

function endData(call: Call, answer: Answer, durationMs: number): JsonObject {
  return {
    tool: call.toolName,
    toolCallId: call.toolCallId,
    attempt: call.attempt,
    status: answer.status,
    durationMs,
    summary: answer.result.summary,
    decision: decidedBy(answer.decisions)?.decision ?? null,
    outputBytes: Buffer.byteLength(answer.dataText),
    artifacts: answer.artifacts.map(({ path }) => path),
    errorCode: answer.result.error?.code ?? null,
    replayOf: answer.replayOf ?? null,
  }
}

function recordDenial(services: CallServices, call: Call, answer: Answer): void {
  const decision = decidedBy(answer.decisions)
  services.context.events.record({
    type: 'tool.call.denied',
    callId: call.callId,
    data: {
      tool: call.toolName,
      toolCallId: call.toolCallId,
      code: answer.result.error?.code ?? null,
      permission: decision?.permission ?? null,
      resource: decision?.resource ?? null,
      layer: decision?.layer ?? null,
      rule: decision?.rule ?? null,
      reason: decision?.reason ?? answer.result.summary,
    },
  })
}

function isRejection(answer: Answer): boolean {
  return answer.status === 'denied' || answer.status === 'invalid'
}

function recordRejection(services: CallServices, call: Call, error: ErrorInfo | null): void {
  if (!error) return
  services.context.logger.recordError({
    callId: call.callId,
    tool: call.toolName,
    code: error.code,
    message: error.message,
  })
}

/** The strictest decision: the one that a reader wants to see first. */
function decidedBy(decisions: readonly PermissionDecision[]): PermissionDecision | undefined {
  return (
    decisions.find(({ decision }) => decision === 'deny') ??
    decisions.find(({ decision }) => decision === 'ask') ??
    decisions[0]
  )
}
