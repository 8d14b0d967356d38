import { type Toolset, toModelText } from '@kgent/tools-core'
import type { RunConfig } from '@openai/agents'

/** The options of a `Runner` that are set here. */
export type RunnerConfig = Required<
  Pick<RunConfig, 'toolExecution' | 'toolNotFoundBehavior' | 'toolErrorFormatter'>
>

/**
 * For `new Runner({ ...runnerConfig(run) })`: broken input is refused before a person is asked about it, and a call to
 * an unknown tool is recorded and answered with the names that exist, instead of ending the run.
 */
export function runnerConfig(run: Pick<Toolset, 'tools' | 'call'>): RunnerConfig {
  return {
    toolExecution: { preApprovalInputGuardrails: true },
    toolNotFoundBehavior: 'return_error_to_model',
    async toolErrorFormatter({ kind, toolName, callId }) {
      if (kind !== 'tool_not_found') return undefined
      // A tool of the run that this agent was not given, or that is not loaded yet: calling it would run it.
      if (run.tools.some(({ name }) => name === toolName)) return undefined
      return toModelText(await run.call(toolName, undefined, { toolCallId: callId }))
    },
  }
}
