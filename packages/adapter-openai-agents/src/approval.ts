import type { ApprovalAnswer, BoundTool } from '@kgent/tools-core'
import type { RunContext } from '@openai/agents'

/**
 * For a tool's `needsApproval`. A restored run asks again about calls that are answered in its state. That must not count
 * as a new ask: an answer that was made up would otherwise find the ask that it needs.
 */
export function needsApproval(
  tool: BoundTool,
): (context: RunContext, input: unknown, toolCallId?: string) => Promise<boolean> {
  return async (context, input, toolCallId) => {
    const replay = answerOf(tool, context, toolCallId) !== null
    return (await tool.decide(input, { toolCallId, replay })).decision === 'ask'
  }
}

/** What the run's state says about this call. The core believes it only for a call that it has asked about. */
export function answerOf(
  tool: BoundTool,
  context: RunContext,
  toolCallId: string | undefined,
): ApprovalAnswer | null {
  if (toolCallId === undefined) return null
  const approved = context.isToolApproved({ toolName: tool.name, callId: toolCallId })
  return approved === undefined ? null : { approved, by: 'openai-agents' }
}
