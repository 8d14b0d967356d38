import type { ToolResult } from '@kgent/contracts'

/**
 * A result as the text that a model reads: a line of summary, then the data as JSON; for a failure the code, what went
 * wrong and what to do next.
 */
export function toModelText(result: ToolResult): string {
  return result.ok ? successText(result) : failureText(result)
}

function successText(result: ToolResult): string {
  const lines = [result.summary]
  if (result.data !== null) lines.push(JSON.stringify(result.data))
  if (result.artifacts.length > 0) lines.push(`Artifacts: ${result.artifacts.join(', ')}`)
  return lines.join('\n')
}

function failureText(result: ToolResult): string {
  const { error } = result
  if (!error) return `Failed: ${result.summary}`
  const lines = [`Failed (${error.code}): ${error.message}`]
  if (error.hint) lines.push(`Hint: ${error.hint}`)
  if (error.retryable) lines.push('The same call may succeed if it is made again.')
  if (error.details) lines.push(`Details: ${JSON.stringify(error.details)}`)
  return lines.join('\n')
}
