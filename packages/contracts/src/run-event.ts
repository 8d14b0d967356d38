import type { JsonObject } from './json.ts'

export const RUN_EVENT_TYPES = [
  'run.start',
  'run.end',
  'tool.call.start',
  'tool.call.end',
  'tool.call.denied',
  'tool.call.progress',
  'permission.ask',
  'permission.answer',
  'skill.loaded',
  'memory.candidate',
  'memory.write',
  'artifact.created',
  'log.error',
] as const

export type RunEventType = (typeof RUN_EVENT_TYPES)[number]

/** One line of `events.jsonl`. */
export interface RunEvent {
  v: 1
  seq: number
  /** ISO 8601, UTC, milliseconds. */
  at: string
  runId: string
  type: RunEventType
  callId?: string
  /** Hashes, sizes, names, paths and summaries; never content. */
  data: JsonObject
  prev: string | null
}

/** An event as it is handed over; the recorder adds version, sequence, time, run and chain. */
export interface RunEventDraft {
  type: RunEventType
  callId?: string
  data?: JsonObject
}

/**
 * Where events go, and where a live view gets them from.
 * **Contract:** `record` and `subscribe` never throw; a listener that throws is ignored; `flush` as in `ToolLogger`.
 */
export interface EventRecorder {
  record(event: RunEventDraft): void
  flush(): Promise<void>
  /** Calls the listener for each event from now on; returns a function that stops it. */
  subscribe(listener: (event: RunEvent) => void): () => void
}
