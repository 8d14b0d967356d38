import type { BoundTool } from '@kgent/tools-core'
import { answerInHistory } from './approval.ts'
import { inputAsSent } from './pass-through-schema.ts'
import { partsOf, type SdkMessage } from './sdk-call.ts'

/**
 * Tells the core about calls that a person has just rejected, so that they are recorded and their asks are closed: the
 * SDK answers the model by itself and never calls a rejected tool. For messages that end in approval answers, before
 * they are given to the SDK. Runs nothing.
 */
export async function recordRejections(
  tools: readonly BoundTool[],
  messages: readonly SdkMessage[],
): Promise<void> {
  const calls = messages.filter(({ role }) => role === 'assistant').flatMap(partsOf)
  for (const { type, toolCallId, toolName, input } of calls) {
    if (type !== 'tool-call' || typeof toolCallId !== 'string') continue
    const tool = tools.find(({ name }) => name === toolName)
    const answer = answerInHistory({ toolCallId, messages })
    if (tool && answer?.approved === false)
      await tool.call(inputAsSent(input), { toolCallId, approval: answer })
  }
}
