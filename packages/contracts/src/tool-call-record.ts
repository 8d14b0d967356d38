import type { ErrorCode } from './error-codes.ts'
import type { ErrorInfo } from './error-info.ts'
import type { JsonValue } from './json.ts'
import type { PermissionDecision } from './permission.ts'

/** How a call ended. `interrupted`: the process died before an end was written; found at the next start. */
export type ToolCallStatus = 'ok' | 'error' | 'denied' | 'invalid' | 'timeout' | 'aborted' | 'interrupted'

/**
 * One line of `logs/tools.jsonl`: everything about a call but its content.
 * **Contract:** holds hashes, sizes, shapes and paths; never file content, argument text or a secret.
 */
export interface ToolCallRecord {
  v: 1
  /** Position in the file, from 1, without gaps. */
  seq: number
  runId: string
  callId: string
  /** The framework's own id for the call, if it has one. */
  toolCallId: string | null
  tool: string
  /** 1 for the first time that this toolCallId, tool and input were seen, then 2 … */
  attempt: number
  /** ISO 8601, UTC, milliseconds. */
  startedAt: string
  durationMs: number
  status: ToolCallStatus
  summary: string
  decisions: PermissionDecision[]
  input: { sha256: string; bytes: number; shape: JsonValue }
  output: { sha256: string; bytes: number }
  artifacts: { path: string; bytes: number; sha256: string }[]
  error: ErrorInfo | null
  /** Set when the result was that of an earlier call (a replay): its callId. */
  replayOf?: string
  /** Hash of the line before, as `sha256` of its bytes without the newline; null on the first line. */
  prev: string | null
}

/** A record as the core hands it over; the logger adds version, sequence and chain. */
export type ToolCallDraft = Omit<ToolCallRecord, 'v' | 'seq' | 'prev'>

/** One line of `logs/errors.jsonl`: rejections, and the text of unexpected failures for the host's eyes. */
export interface ErrorLogEntry {
  callId: string | null
  tool: string | null
  code: ErrorCode
  message: string
  /** Reference id that the model was given, when the error was unexpected. */
  reference?: string
  /** Name, message and stack of what was thrown. Redacted before it is written; never shown to a model. */
  thrown?: string
}

/**
 * Where records go.
 * **Contract:** neither method throws or blocks; `flush` resolves once everything recorded before is in the operating
 * system's hands (or has failed), and never rejects.
 */
export interface ToolLogger {
  record(record: ToolCallDraft): void
  recordError(entry: ErrorLogEntry): void
  flush(): Promise<void>
  /** Why lines are being lost, or null while all is well. */
  readonly failure: ErrorInfo | null
  /** Whether calls are to be refused while `failure` is set. */
  readonly required: boolean
}
