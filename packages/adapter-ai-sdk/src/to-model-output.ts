import { type ToolResult, toModelText } from '@kgent/tools-core'
import type { ToolOutput } from './tool-output.ts'

/** What the model reads in the place of a result. */
export interface ModelOutput {
  type: 'text' | 'error-text'
  value: string
}

/**
 * A result as the text that the model reads; what failed or was refused is marked as an error. The argument is the
 * output itself in AI SDK 5, and an object that holds it from 6 on.
 */
export function toModelOutput(argument: unknown): ModelOutput {
  const output = isOptionsForm(argument) ? argument.output : argument
  if (!isToolOutput(output)) return { type: 'text', value: JSON.stringify(output) ?? '' }
  if (output.ok === null) {
    return {
      type: 'error-text',
      value: `No result: the call was still running when this was said: ${output.summary}`,
    }
  }
  return { type: output.ok ? 'text' : 'error-text', value: toModelText(output) }
}

function isOptionsForm(argument: unknown): argument is { output: unknown } {
  return typeof argument === 'object' && argument !== null && 'toolCallId' in argument && 'output' in argument
}

/** Outputs can come back from a client's store: their form is looked at, not trusted. */
function isToolOutput(value: unknown): value is ToolOutput {
  if (typeof value !== 'object' || value === null) return false
  const { ok, summary, data, artifacts } = value as Partial<ToolResult>
  return (
    (typeof ok === 'boolean' || ok === null) &&
    typeof summary === 'string' &&
    typeof data === 'object' &&
    Array.isArray(artifacts)
  )
}
