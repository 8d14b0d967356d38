import type { Toolset } from '@kgent/tools-core'
import {
  ExecuteToolStage,
  InvokeModelStage,
  type MiddlewareHandlerOf,
  type Plugin,
} from '@strands-agents/sdk'
import { mendInput } from './broken-input.ts'
import { inputAsSent } from './readable-input.ts'
import { toResultBlock } from './to-result-block.ts'

/** What `unansweredCalls` gives: a plugin for the agent. */
export type UnansweredCalls = Plugin

/**
 * For the `plugins` of an agent. Without it, input that is no JSON ends the whole run with a `ModelError`, and a name
 * that no tool has is answered by Strands and recorded nowhere. With it, both go to the core, which refuses them in its
 * own words, and records them.
 */
export function unansweredCalls(run: Pick<Toolset, 'tools' | 'call'>): UnansweredCalls {
  const names = new Set<string>(run.tools.map(({ name }) => name))
  const recordUnknown: MiddlewareHandlerOf<typeof ExecuteToolStage> = async function* (context, next) {
    const { name, toolUseId, input } = context.toolUse
    // A tool that the run has and the host did not offer must not start: that one is left to Strands.
    if (context.tool || names.has(name)) return yield* next(context)
    const options = { toolCallId: toolUseId, signal: context.cancelSignal }
    return { result: toResultBlock(toolUseId, await run.call(name, inputAsSent(input), options)) }
  }
  return {
    name: 'kgent:unanswered-calls',
    initAgent(agent) {
      agent.addMiddleware(InvokeModelStage, mendInput)
      agent.addMiddleware(ExecuteToolStage, recordUnknown)
    },
  }
}
