import type { JsonObject, ToolProgress, ToolResult } from '@kgent/tools-core'

/** What a call says while it runs, in the place of its result: `ok` is null because it is not known yet. */
export interface UnfinishedResult {
  ok: null
  /** What the call is doing. */
  summary: string
  /** Counts. */
  data: JsonObject | null
  artifacts: []
  error: null
}

/** The output of a tool in the SDK's parts; only preliminary ones are unfinished. */
export type ToolOutput = ToolResult | UnfinishedResult

/** Progress as a preliminary result. */
export function unfinished(progress: ToolProgress): UnfinishedResult {
  return { ok: null, summary: progress.message, data: progress.data ?? null, artifacts: [], error: null }
}
