import { join } from 'node:path'
import type { ErrorInfo, EventRecorder, ToolLogger } from '@kgent/contracts'
import type { LogOpening } from './chained-lines.ts'
import { createEventRecorder, type FileEventRecorder, failureEvent } from './event-recorder.ts'
import type { RedactionOptions } from './redactor.ts'
import { createToolLogger, type FileToolLogger } from './tool-logger.ts'

/** Where the files of a run are, below its folder. */
export const LOG_FILES = {
  tools: 'logs/tools.jsonl',
  events: 'events.jsonl',
  errors: 'logs/errors.jsonl',
} as const

export type LogFileName = keyof typeof LOG_FILES

export interface RunLogOptions {
  /** The folder of the run. */
  dir: string
  runId: string
  /** `os` (default): a flushed line survives the death of the process. `disk`: that of the machine too. */
  durability?: 'os' | 'disk'
  /** Whether calls are to be refused while records cannot be written. Default false. */
  required?: boolean
  redact?: RedactionOptions
  /** Makes the chains ones that nobody without the key can write anew; `verifyRun` needs it too. */
  hmacKey?: string | Uint8Array
}

/** Hashes of the last lines, for the manifest: with them a cut end is noticed. */
export interface LogHeads {
  tools: string | null
  events: string | null
  errors: string | null
}

/** How the files were found when the log was opened. */
export type RunLogOpening = Record<LogFileName, LogOpening> & {
  /** What a person should know, in sentences; empty when all is well. */
  remarks: string[]
}

/** The three log files of a run. */
export interface RunLog {
  readonly logger: ToolLogger
  readonly events: EventRecorder
  readonly opened: RunLogOpening
  /** Hashes of the last lines so far. */
  heads(): LogHeads
  /** Writes what waits and gives the files back; `failure` says whether lines were lost. Never rejects. */
  close(): Promise<{ heads: LogHeads; failure: ErrorInfo | null }>
}

/**
 * Opens the log of a run, new or continued. Failing files and torn lines are told as `log.error` events; a `run.end`
 * event carries the head of the records.
 * **Throws:** `KgentError` (`run_unusable`) when a file cannot be opened.
 */
export function createRunLog(options: RunLogOptions): RunLog {
  const { dir, runId, required = false } = options
  const shared = {
    ...(options.durability && { durability: options.durability }),
    ...(options.redact && { redact: options.redact }),
    ...(options.hmacKey !== undefined && { hmacKey: options.hmacKey }),
  }
  const recorder = createEventRecorder({ ...shared, runId, file: join(dir, LOG_FILES.events) })
  const logger = openToolLogger(recorder, { ...shared, runId, required, dir })
  const heads = (): LogHeads => ({
    tools: logger.head,
    events: recorder.head,
    errors: logger.errorsHead,
  })
  const opened = openingOf({
    tools: logger.opened.tools,
    events: recorder.opened,
    errors: logger.opened.errors,
  })
  tellTornLines(recorder, opened)
  return {
    logger,
    events: withRecordsHead(recorder, () => logger.head),
    opened,
    heads,
    async close() {
      await logger.close()
      await recorder.close()
      return { heads: heads(), failure: logger.failure ?? recorder.failure }
    },
  }
}

function openToolLogger(recorder: FileEventRecorder, options: RunLogOptions): FileToolLogger {
  const { dir, ...others } = options
  try {
    return createToolLogger({
      ...others,
      file: join(dir, LOG_FILES.tools),
      errorsFile: join(dir, LOG_FILES.errors),
      onFailure: (failure) => recorder.record(failureEvent(failure)),
    })
  } catch (thrown) {
    void recorder.close()
    throw thrown
  }
}

const NOTHING: LogOpening = { seq: 0, head: null, torn: null }

function openingOf(files: Record<LogFileName, LogOpening | null>): RunLogOpening {
  const names = Object.keys(LOG_FILES) as LogFileName[]
  const remarks = names.flatMap((name) => {
    const torn = files[name]?.torn
    if (!torn) return []
    return `${LOG_FILES[name]} ended in a torn line of ${torn.bytes} bytes, left by a crash. It stands alone now; no whole line is lost.`
  })
  return {
    tools: files.tools ?? NOTHING,
    events: files.events ?? NOTHING,
    errors: files.errors ?? NOTHING,
    remarks,
  }
}

function tellTornLines(recorder: EventRecorder, opened: RunLogOpening): void {
  for (const name of Object.keys(LOG_FILES) as LogFileName[]) {
    const { torn } = opened[name]
    if (!torn) continue
    const { bytes, offset, sha256 } = torn
    const message = 'The file ended in a torn line, left by a crash.'
    recorder.record({
      type: 'log.error',
      data: { file: LOG_FILES[name], problem: 'torn_line', message, offset, bytes, sha256 },
    })
  }
}

/** Ties the records to the events: the last event says where the records end. */
function withRecordsHead(recorder: EventRecorder, head: () => string | null): EventRecorder {
  return {
    flush: () => recorder.flush(),
    subscribe: (listener) => recorder.subscribe(listener),
    record(event) {
      if (event.type !== 'run.end') return recorder.record(event)
      recorder.record({ ...event, data: { ...event.data, lastHash: { tools: head() } } })
    },
  }
}
