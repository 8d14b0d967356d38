import type { ErrorInfo, ErrorLogEntry, ToolCallDraft, ToolCallRecord, ToolLogger } from '@kgent/contracts'
import { type LinePlace, type LogOpening, openChainedLines } from './chained-lines.ts'
import { finishLine } from './finish-line.ts'
import { createRedactor, type RedactionOptions } from './redactor.ts'
import { timestamp } from './timestamp.ts'

export interface ToolLoggerOptions {
  /** Where records go, e.g. `logs/tools.jsonl`. Made with its folders when it is not there. */
  file: string
  /** Where rejections and unexpected failures go. Absent: `recordError` writes nothing. */
  errorsFile?: string
  /** Named on the lines of the errors file. */
  runId?: string
  /** `os` (default): a flushed line survives the death of the process. `disk`: that of the machine too. */
  durability?: 'os' | 'disk'
  /** Whether calls are to be refused while lines cannot be written. Default false. */
  required?: boolean
  redact?: RedactionOptions
  /** Makes the chain one that nobody without the key can write anew. */
  hmacKey?: string | Uint8Array
  /** Told once each time that writing to one of the files begins to fail. */
  onFailure?: (failure: ErrorInfo) => void
}

/** A `ToolLogger` over files, with what only its owner may do. */
export interface FileToolLogger extends ToolLogger {
  readonly opened: { tools: LogOpening; errors: LogOpening | null }
  /** Hash of the last record; null while there is none. */
  readonly head: string | null
  /** Hash of the last line of the errors file; null while it has none. */
  readonly errorsHead: string | null
  /** Writes what waits and gives the files back. Afterwards `failure` says whether lines were lost. */
  close(): Promise<void>
}

/** Writes one line a call, numbered, chained and redacted. **Throws:** `KgentError` (`run_unusable`). */
export function createToolLogger(options: ToolLoggerOptions): FileToolLogger {
  const { file, errorsFile, runId, required = false } = options
  const redactor = createRedactor(options.redact)
  const tools = openChainedLines(file, chainOptions(options, 'logs/tools.jsonl'))
  const errors = errorsFile ? openChainedLines(errorsFile, chainOptions(options, 'logs/errors.jsonl')) : null
  return {
    required,
    opened: { tools: tools.opened, errors: errors?.opened ?? null },
    get errorsHead() {
      return errors?.head ?? null
    },
    get head() {
      return tools.head
    },
    get failure() {
      return tools.failure ?? errors?.failure ?? null
    },
    record(draft) {
      tools.append((place) => finishLine(recordAt(place, draft), redactor))
    },
    recordError(entry) {
      errors?.append((place) => finishLine(errorAt(place, { runId, entry }), redactor))
    },
    flush: () => (errors ? Promise.all([tools.flush(), errors.flush()]).then(() => {}) : tools.flush()),
    async close() {
      await Promise.all([tools.close(), errors?.close()])
    },
  }
}

function chainOptions({ durability, hmacKey, onFailure }: ToolLoggerOptions, name: string) {
  return {
    name,
    ...(durability && { durability }),
    ...(hmacKey !== undefined && { hmacKey }),
    ...(onFailure && { onFailure }),
  }
}

// Field by field: what a draft holds besides is not for the log. A field that is undefined is left out of the line.
function recordAt({ seq, prev }: LinePlace, draft: ToolCallDraft): Record<keyof ToolCallRecord, unknown> {
  return {
    v: 1,
    seq,
    runId: draft.runId,
    callId: draft.callId,
    toolCallId: draft.toolCallId,
    tool: draft.tool,
    attempt: draft.attempt,
    startedAt: draft.startedAt,
    durationMs: draft.durationMs,
    status: draft.status,
    summary: draft.summary,
    decisions: draft.decisions,
    input: draft.input,
    output: draft.output,
    artifacts: draft.artifacts,
    error: draft.error,
    replayOf: draft.replayOf,
    prev,
  }
}

function errorAt(
  { seq, prev }: LinePlace,
  { runId, entry }: { runId: string | undefined; entry: ErrorLogEntry },
) {
  return {
    v: 1,
    seq,
    at: timestamp(),
    runId: runId ?? null,
    callId: entry.callId,
    tool: entry.tool,
    code: entry.code,
    message: entry.message,
    reference: entry.reference,
    thrown: entry.thrown,
    prev,
  }
}
