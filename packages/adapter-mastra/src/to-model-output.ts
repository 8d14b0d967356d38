import { type ToolResult, toModelText } from '@kgent/tools-core'

/** What the model reads in the place of a result. */
export interface ModelOutput {
  type: 'text' | 'error-text'
  value: string
}

/** A result as the text that the model reads; what failed or was refused is marked as an error. */
export function toModelOutput(output: unknown): ModelOutput {
  if (!isToolResult(output)) return { type: 'text', value: JSON.stringify(output) ?? '' }
  return { type: output.ok ? 'text' : 'error-text', value: toModelText(output) }
}

/** Outputs can be changed by a host's processors: their form is looked at, not trusted. */
function isToolResult(value: unknown): value is ToolResult {
  if (typeof value !== 'object' || value === null) return false
  const { ok, summary, data, artifacts } = value as Partial<ToolResult>
  return (
    typeof ok === 'boolean' &&
    typeof summary === 'string' &&
    typeof data === 'object' &&
    Array.isArray(artifacts)
  )
}
