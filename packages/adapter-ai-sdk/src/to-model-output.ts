import { type ToolResult, toModelText } from '@kgent/tools-core'
import type { ToolOutput } from './tool-output.ts'

/** What the model reads in the place of a result. */
export interface ModelOutput {
  type: 'text' | 'error-text'
  value: string
}

/** The argument of `toModelOutput`: the output itself in AI SDK 5, an object that holds it from 6 on. */
type ModelOutputArgument = ToolOutput | { readonly toolCallId: string; readonly output: unknown }

/** A result as the text that the model reads; what failed or was refused is marked as an error. */
export function toModelOutput(argument: ModelOutputArgument): ModelOutput {
  const output: unknown = 'toolCallId' in argument ? argument.output : argument
  if (!isToolOutput(output)) return { type: 'text', value: JSON.stringify(output) ?? '' }
  if (output.ok === null) {
    return {
      type: 'error-text',
      value: `No result: the call was still running when this was said: ${output.summary}`,
    }
  }
  return { type: output.ok ? 'text' : 'error-text', value: toModelText(output) }
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
