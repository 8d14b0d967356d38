import { hash } from 'node:crypto'
import {
  errorInfo,
  type JsonObject,
  type RunEvent,
  type RunEventDraft,
  type ToolCallDraft,
} from '@kgent/contracts'
import { readEvents, readRecords } from './read-log.ts'

/** A call whose process died before its end was written. */
export interface InterruptedCall {
  callId: string
  tool: string
  /** The record to add; null when the record was written and only the end event is missing. */
  record: ToolCallDraft | null
  /** The end event to add. */
  event: RunEventDraft
}

/**
 * Finds calls that have a start and no end, in the order of their starts. Whoever continues the run adds the record and
 * the event of each; whether the call took effect is unknown.
 * **Throws:** `KgentError` (`run_unusable`) when the folder has no log.
 */
export async function findInterrupted(dir: string): Promise<InterruptedCall[]> {
  const open = new Map<string, RunEvent>()
  for await (const event of readEvents(dir)) {
    if (event.callId === undefined) continue
    if (event.type === 'tool.call.start') open.set(event.callId, event)
    if (event.type === 'tool.call.end') open.delete(event.callId)
  }
  if (open.size === 0) return []
  const statuses = new Map<string, string>()
  for await (const { callId, status } of readRecords(dir)) if (open.has(callId)) statuses.set(callId, status)
  return [...open.values()].map((start) => interruptedCall(start, statuses.get(start.callId ?? '')))
}

const SUMMARY = 'The process died before the call ended; whether it took effect is unknown.'

// What a call without data has put out: the JSON text `null`.
const NOTHING = { sha256: hash('sha256', 'null', 'hex'), bytes: 4 }

function interruptedCall(start: RunEvent, recorded: string | undefined): InterruptedCall {
  const draft = interruptedRecord(start)
  const status = recorded ?? draft.status
  const { callId, tool, toolCallId, attempt } = draft
  return {
    callId,
    tool,
    record: recorded === undefined ? draft : null,
    event: {
      type: 'tool.call.end',
      callId,
      data: {
        tool,
        toolCallId,
        attempt,
        status,
        summary: SUMMARY,
        errorCode: status === 'interrupted' ? 'interrupted' : null,
      },
    },
  }
}

function interruptedRecord({ runId, callId = '', at, data }: RunEvent): ToolCallDraft {
  const input = isObject(data.input) ? data.input : {}
  return {
    runId,
    callId,
    toolCallId: typeof data.toolCallId === 'string' ? data.toolCallId : null,
    tool: textOf(data.tool),
    attempt: typeof data.attempt === 'number' ? data.attempt : 1,
    startedAt: at,
    durationMs: 0,
    status: 'interrupted',
    summary: SUMMARY,
    decisions: [],
    input: {
      sha256: textOf(input.sha256) || NOTHING.sha256,
      bytes: typeof input.bytes === 'number' ? input.bytes : 0,
      shape: input.shape ?? null,
    },
    output: NOTHING,
    artifacts: [],
    error: errorInfo('interrupted', SUMMARY),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
