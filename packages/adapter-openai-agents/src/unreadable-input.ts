import { type BoundTool, toModelText } from '@kgent/tools-core'
import { type FunctionCallItem, type FunctionTool, ToolGuardrailFunctionOutputFactory } from '@openai/agents'

type InputGuardrail = NonNullable<FunctionTool['inputGuardrails']>[number]
type CallItem = Pick<FunctionCallItem, 'callId' | 'arguments'>

/** Stands for input that the SDK does not show (it redacts it on request). It must not read as “no arguments”. */
const NOT_SHOWN = '(not shown)'

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
export async function refuseUnreadable(tool: BoundTool, call: CallItem | undefined): Promise<string> {
  const text = call?.arguments ?? ''
  // Anything that the core could read is withheld, so that a refusal never becomes a call.
  const input = text.trim() === '' || isObjectText(text) ? NOT_SHOWN : text
  return toModelText(await tool.call(input, { toolCallId: call?.callId }))
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
