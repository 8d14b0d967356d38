import { type BoundTool, requireUniqueNames, type ToolProgress, toModelText } from '@kgent/tools-core'
import { dynamicTool, type ToolAction, ToolInterruptError, type z } from 'genkit'
import { answerIn } from './approval.ts'

export interface GenkitOptions {
  /**
   * Who asks a person when a rule says `ask`: Genkit's interrupts, or the approver of the host. Default `native`.
   */
  approval?: 'native' | 'host'
}

/** A tool of Genkit. It takes what the model sent, before the core checks it, and gives the text that the model reads. */
export type GenkitTool = ToolAction<z.ZodTypeAny, z.ZodTypeAny>

/** What Genkit tells a tool about a call; the id only through `genkitCalls`. */
export interface GenkitCall {
  toolCallId?: string | undefined
  abortSignal?: AbortSignal | undefined
  resumed?: unknown
  sendChunk?: ((progress: ToolProgress) => void) | undefined
}

/**
 * Bound tools as the `tools` of `generate` and `generateStream`; to be used with `genkitCalls`. They are made without a
 * Genkit instance and registered nowhere.
 *
 * **Throws:** `KgentError` (`duplicate_tool`) when two tools have one name.
 */
export function genkitTools(tools: readonly BoundTool[], options: GenkitOptions = {}): GenkitTool[] {
  requireUniqueNames(tools)
  return tools.map((tool) => toGenkitTool(tool, options))
}

function toGenkitTool(tool: BoundTool, { approval = 'native' }: GenkitOptions): GenkitTool {
  const { name, description } = tool
  const action: GenkitTool = dynamicTool({ name, description }, (input: unknown, call) =>
    runTool(tool, input, { ...(call as object as GenkitCall), approval }),
  )
  // Shown to the model, but not given to Genkit as the tool's schema: it would validate by it and end the run.
  action.__action.inputJsonSchema = tool.jsonSchema({ profile: 'closed', target: 'draft-07' })
  // Genkit notes here where a tool is registered, and logs an error when one is used in a second `generate`.
  Object.defineProperty(action, '__registry', { get: () => undefined, set() {} })
  return action
}

async function runTool(
  tool: BoundTool,
  input: unknown,
  call: GenkitCall & Required<GenkitOptions>,
): Promise<string> {
  const { toolCallId, abortSignal, sendChunk } = call
  const answer = call.approval === 'native' ? answerIn(call.resumed) : null
  if (call.approval === 'native' && !answer) {
    const { decision, reason } = await tool.decide(input, { toolCallId })
    if (decision === 'ask') throw new ToolInterruptError({ reason })
  }
  const result = await tool.call(input, {
    toolCallId,
    signal: abortSignal,
    onProgress: sendChunk,
    ...(answer ? { approval: answer, replay: true } : {}),
  })
  return toModelText(result)
}
