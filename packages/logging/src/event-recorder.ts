import type { ErrorInfo, EventRecorder, RunEvent, RunEventDraft } from '@kgent/contracts'
import { type LinePlace, type LogOpening, openChainedLines } from './chained-lines.ts'
import { finishLine } from './finish-line.ts'
import { createRedactor, type RedactionOptions } from './redactor.ts'
import { timestamp } from './timestamp.ts'

export interface EventRecorderOptions {
  /** Where events go, e.g. `events.jsonl`. Made with its folders when it is not there. */
  file: string
  runId: string
  /** `os` (default): a flushed line survives the death of the process. `disk`: that of the machine too. */
  durability?: 'os' | 'disk'
  redact?: RedactionOptions
  /** Makes the chain one that nobody without the key can write anew. */
  hmacKey?: string | Uint8Array
  /** Told once each time that writing begins to fail; listeners get a `log.error` event without it. */
  onFailure?: (failure: ErrorInfo) => void
}

/** An `EventRecorder` over a file, with what only its owner may do. */
export interface FileEventRecorder extends EventRecorder {
  readonly opened: LogOpening
  /** Hash of the last event; null while there is none. */
  readonly head: string | null
  /** Why lines wait or are lost, or null while all is well. */
  readonly failure: ErrorInfo | null
  /** Writes what waits and gives the file back. Afterwards `failure` says whether lines were lost. */
  close(): Promise<void>
}

/** Writes one line an event, numbered, chained and redacted. **Throws:** `KgentError` (`run_unusable`). */
export function createEventRecorder(options: EventRecorderOptions): FileEventRecorder {
  const { file, runId, durability, hmacKey } = options
  const redactor = createRedactor(options.redact)
  const listeners = new Set<(event: RunEvent) => void>()
  const events = openChainedLines(file, {
    name: 'events.jsonl',
    ...(durability && { durability }),
    ...(hmacKey !== undefined && { hmacKey }),
    onFailure(failure) {
      options.onFailure?.(failure)
      record(failureEvent(failure))
    },
  })

  function record(draft: RunEventDraft): void {
    let line = ''
    events.append((place) => {
      line = finishLine(eventAt(place, { runId, draft }), redactor)
      return line
    })
    // Each listener gets what the line says, in a copy of its own.
    if (line !== '') for (const listener of [...listeners]) tell(listener, line)
  }

  return {
    opened: events.opened,
    get head() {
      return events.head
    },
    get failure() {
      return events.failure
    },
    record,
    flush: events.flush,
    close: events.close,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The event that says that a log file cannot be written. */
export function failureEvent(failure: ErrorInfo): RunEventDraft {
  return { type: 'log.error', data: { code: failure.code, message: failure.message, ...failure.details } }
}

function tell(listener: (event: RunEvent) => void, line: string): void {
  try {
    listener(JSON.parse(line) as RunEvent)
  } catch {
    // A listener is a guest: what it throws is its own affair.
  }
}

function eventAt(
  { seq, prev }: LinePlace,
  { runId, draft }: { runId: string; draft: RunEventDraft },
): RunEvent {
  const { type, callId, data = {} } = draft
  const at = timestamp()
  return callId === undefined
    ? { v: 1, seq, at, runId, type, data, prev }
    : { v: 1, seq, at, runId, type, callId, data, prev }
}
