import type { Toolset } from '@kgent/tools-core'

/** The part of the SDK's repair options that is read here; alike in every major. */
export type ToolCallRepair = <C extends { toolCallId: string; toolName: string; input: string }>(failed: {
  toolCall: C
  tools: object
}) => Promise<C | null>

/**
 * For the SDK's `experimental_repairToolCall` (`repairToolCall` from 7 on). Without it the SDK answers calls whose input
 * is no JSON, or whose name is unknown, by itself, and no record tells of them. Repairs nothing: broken input goes on to
 * the core as text and is refused there; an unknown name is recorded and left to the SDK's answer.
 */
export function repairToolCall(run: Pick<Toolset, 'tools' | 'call'>): ToolCallRepair {
  const names = new Set<string>(run.tools.map(({ name }) => name))
  return async ({ toolCall, tools }) => {
    const { toolName, toolCallId, input } = toolCall
    const isOurs = names.has(toolName)
    const isOffered = Object.hasOwn(tools, toolName)
    if (isOurs && isOffered) return { ...toolCall, input: JSON.stringify(input) }
    // The signal: a tool that the run has and the host did not offer must not start.
    if (!isOurs && !isOffered) await run.call(toolName, input, { toolCallId, signal: AbortSignal.abort() })
    return null
  }
}
