import type { ToolResult } from '@kgent/contracts'

/** Whether a value that was read from storage has the form of a tool result. */
export function isToolResult(value: unknown): value is ToolResult {
  if (typeof value !== 'object' || value === null) return false
  const { ok, summary, data, artifacts, error } = value as Partial<ToolResult>
  return (
    typeof ok === 'boolean' &&
    typeof summary === 'string' &&
    typeof data === 'object' &&
    Array.isArray(artifacts) &&
    (ok ? error === null : typeof error === 'object' && error !== null)
  )
}
