import { type BoundTool, toModelText } from '@kgent/tools-core'
import { type FunctionCallItem, type FunctionTool, ToolGuardrailFunctionOutputFactory } from '@openai/agents'

type InputGuardrail = NonNullable<FunctionTool['inputGuardrails']>[number]
type CallItem = Pick<FunctionCallItem, 'callId' | 'arguments'>

/** Stands for input that is empty: no JSON, so it must not read as “no arguments”. */
export const UNREADABLE = '(empty)'

/**
 * The SDK wants a person to approve every input that is no object, because it can show none to `needsApproval`. Where
 * guardrails come before approval (`runnerConfig`), the core answers such a call instead. Runs nothing.
 */
export function unreadableInputGuardrail(tool: BoundTool): InputGuardrail {
  return {
    type: 'tool_input',
    name: 'kgent-readable-input',
    async run({ toolCall }) {
      if (isObjectText(toolCall.arguments)) return ToolGuardrailFunctionOutputFactory.allow()
      return ToolGuardrailFunctionOutputFactory.rejectContent(await refuseUnreadable(tool, toolCall))
    },
  }
}

/** What the model reads about input that is no JSON object; recorded as an invalid call. */
async function refuseUnreadable(tool: BoundTool, call: CallItem): Promise<string> {
  const input = call.arguments.trim() === '' ? UNREADABLE : call.arguments
  return toModelText(await tool.call(input, { toolCallId: call.callId }))
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
