import type { ToolCallDraft, ToolLogger } from '@kgent/contracts'
import type { Attributes, Span, SpanKind, SpanStatusCode, Tracer } from '@opentelemetry/api'

export interface OtelOptions {
  /** From the host's own setup: `trace.getTracer('kgent')`. */
  tracer: Tracer
}

// The values of the peer's enums, so that nothing of it is loaded by this module.
const INTERNAL: SpanKind.INTERNAL = 0
const ERROR: SpanStatusCode.ERROR = 2

/**
 * Gives a finished call to OpenTelemetry as one INTERNAL span, `execute_tool {name}`, with the current names of its
 * semantic conventions. Hashes, sizes and codes only; never content, nor a summary or message.
 */
export function recordToSpan(record: ToolCallDraft, { tracer }: OtelOptions): Span {
  const startTime = new Date(record.startedAt)
  const span = tracer.startSpan(`execute_tool ${record.tool}`, {
    kind: INTERNAL,
    startTime,
    attributes: attributesOf(record),
  })
  if (record.status !== 'ok') span.setStatus({ code: ERROR, message: errorType(record) })
  span.end(startTime.getTime() + record.durationMs)
  return span
}

/** A logger that also makes a span of every record, denied calls included. A tracer that throws harms no call. */
export function createOtelToolLogger(inner: ToolLogger, options: OtelOptions): ToolLogger {
  return {
    record(record) {
      inner.record(record)
      try {
        recordToSpan(record, options)
      } catch {
        // Telemetry is a guest here: the record is what counts.
      }
    },
    recordError: (entry) => inner.recordError(entry),
    flush: () => inner.flush(),
    get failure() {
      return inner.failure
    },
    get required() {
      return inner.required
    },
  }
}

function attributesOf(record: ToolCallDraft): Attributes {
  const decided =
    record.decisions.find(({ decision }) => decision === 'deny') ??
    record.decisions.find(({ decision }) => decision === 'ask') ??
    record.decisions[0]
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': record.tool,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': record.toolCallId ?? record.callId,
    ...(record.status !== 'ok' && { 'error.type': errorType(record) }),
    'kgent.run.id': record.runId,
    'kgent.call.id': record.callId,
    'kgent.call.attempt': record.attempt,
    'kgent.call.status': record.status,
    ...(record.replayOf && { 'kgent.call.replay_of': record.replayOf }),
    'kgent.input.bytes': record.input.bytes,
    'kgent.input.sha256': record.input.sha256,
    'kgent.output.bytes': record.output.bytes,
    'kgent.output.sha256': record.output.sha256,
    'kgent.artifacts.count': record.artifacts.length,
    ...(decided && {
      'kgent.decision': decided.decision,
      'kgent.decision.permission': decided.permission,
      'kgent.decision.layer': decided.layer,
      ...(decided.rule && { 'kgent.decision.rule': decided.rule }),
    }),
  }
}

function errorType(record: ToolCallDraft): string {
  return record.error?.code ?? record.status
}
