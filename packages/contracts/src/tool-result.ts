import type { ErrorInfo } from './error-info.ts'
import type { JsonObject } from './json.ts'

/**
 * The bounded answer of one tool call.
 * **Contract:** `summary` is one line of at most 200 characters and safe to log; large content is in an artifact;
 * `error` is set exactly when `ok` is false.
 */
export interface ToolResult<D extends JsonObject = JsonObject> {
  ok: boolean
  summary: string
  data: D | null
  /** Sandbox paths that the agent can hand back to `read_file`. */
  artifacts: string[]
  error: ErrorInfo | null
}
