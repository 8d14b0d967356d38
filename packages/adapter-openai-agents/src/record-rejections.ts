import type { BoundTool } from '@kgent/tools-core'
import type { RunState } from '@openai/agents'
import { answerOf } from './approval.ts'

/** The part of a run's state that is read here. */
export type InterruptedState = Pick<RunState<unknown, never>, 'getInterruptions'> & {
  readonly _context: Parameters<typeof answerOf>[1]
}

/**
 * Tells the core about calls that a person has just rejected, so that they are recorded and their asks are closed: the
 * SDK answers the model by itself and never calls a rejected tool. For a state with its answers, before it is run
 * again. Runs nothing.
 */
export async function recordRejections(tools: readonly BoundTool[], state: InterruptedState): Promise<void> {
  for (const { rawItem } of state.getInterruptions()) {
    if (rawItem.type !== 'function_call') continue
    const tool = tools.find(({ name }) => name === rawItem.name)
    const answer = tool && answerOf(tool, state._context, rawItem.callId)
    if (answer?.approved === false)
      await tool?.call(rawItem.arguments, { toolCallId: rawItem.callId, approval: answer })
  }
}
