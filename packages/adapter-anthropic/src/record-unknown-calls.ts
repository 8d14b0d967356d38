import type { BetaMessage } from '@anthropic-ai/sdk/resources/beta'
import type { Toolset } from '@kgent/tools-core'

/** What the model has answered, and what it was offered. */
interface Turn {
  /** A reply that the runner gave: the message itself, or the `finalMessage()` of its stream. */
  message: Pick<BetaMessage, 'content'>
  /** The `tools` of the runner; those that are not the run's are the host's affair. */
  tools: readonly object[]
}

/**
 * Records the model's calls to names that no tool has. The runner answers those by itself, so that without this no
 * record tells of them. For the body of the loop over the runner; runs nothing.
 *
 *     for await (const message of runner) await recordUnknownCalls(run, { message, tools })
 */
export async function recordUnknownCalls(
  run: Pick<Toolset, 'tools' | 'call'>,
  { message, tools }: Turn,
): Promise<void> {
  const known = new Set<unknown>([...run.tools, ...tools].map((tool) => 'name' in tool && tool.name))
  for (const block of message.content) {
    // Calls of the SDK's own toolsets are named after an action, not after a tool.
    if (block.type !== 'tool_use' || block.toolset_name || known.has(block.name)) continue
    // The signal: a tool that the run has and the host did not offer must not start.
    await run.call(block.name, block.input, { toolCallId: block.id, signal: AbortSignal.abort() })
  }
}
