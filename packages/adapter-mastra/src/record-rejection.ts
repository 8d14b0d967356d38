import type { BoundTool, ToolResult } from '@kgent/tools-core'

/** A call that waits for a person, as Mastra tells of it: the `suspendPayload` of the run. */
export interface PendingCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly args: unknown
}

/**
 * Tells the core about a call that a person has rejected, so that it is recorded and its ask is closed: Mastra answers
 * the model by itself and never calls a rejected tool. After `declineToolCall`: before it, Mastra would open
 * the ask anew. Runs nothing; null when no tool has that name.
 */
export async function recordRejection(
  tools: readonly BoundTool[],
  pending: PendingCall,
  reason?: string,
): Promise<ToolResult | null> {
  const { toolCallId, toolName, args } = pending
  const tool = tools.find(({ name }) => name === toolName)
  if (!tool) return null
  const approval = { approved: false, by: 'mastra', ...(reason === undefined ? {} : { reason }) }
  return tool.call(args, { toolCallId, approval })
}
