import { type BoundTool, type CallOptions, requireUniqueNames } from '@kgent/tools-core'
import type { Tool } from 'ai'
import { answerInHistory, needsApproval } from './approval.ts'
import { execute } from './execute.ts'
import { passThroughSchema } from './pass-through-schema.ts'
import type { SdkCall } from './sdk-call.ts'
import { toModelOutput } from './to-model-output.ts'
import type { ToolOutput } from './tool-output.ts'

export interface AiSdkOptions {
  /**
   * Who asks a person when a rule says `ask`: the SDK's own approval (6 and later), or the approver of the host.
   * Default `native`.
   */
  approval?: 'native' | 'host'
  /** Form of the schemas that models are sent; `strict` also sets the tools' `strict`. Default `closed`. */
  profile?: 'closed' | 'strict'
}

/**
 * A tool set of the SDK, keyed by tool name. Inputs are `unknown`: what stands in the SDK's parts is what the model sent,
 * before the core checks it.
 */
export type AiSdkTools<T extends readonly BoundTool[]> = {
  [K in T[number] as K['name']]: Tool<unknown, ToolOutput>
}

/**
 * Bound tools as the `tools` of `generateText`, `streamText` and the agent classes of AI SDK 5, 6 and 7.
 *
 * **Throws:** `KgentError` (`duplicate_tool`) when two tools have one name.
 */
export function aiSdkTools<const T extends readonly BoundTool[]>(
  tools: T,
  options: AiSdkOptions = {},
): AiSdkTools<T> {
  requireUniqueNames(tools)
  // Without a prototype: a call to `constructor` or `toString` finds no tool in any major.
  const set: Record<string, object> = Object.create(null)
  for (const tool of tools) set[tool.name] = toAiSdkTool(tool, options)
  return set as AiSdkTools<T>
}

function toAiSdkTool(tool: BoundTool, { approval = 'native', profile = 'closed' }: AiSdkOptions): object {
  const isNative = approval === 'native'
  return {
    title: tool.title,
    description: tool.description,
    inputSchema: passThroughSchema(tool.jsonSchema({ profile, target: 'draft-07' })),
    // Examples leave optional fields away, which a strict schema does not allow.
    ...(profile === 'strict'
      ? { strict: true }
      : { inputExamples: tool.inputExamples.map((input) => ({ input })) }),
    ...(isNative ? { needsApproval: needsApproval(tool) } : {}),
    execute: (input: unknown, call: SdkCall) => execute(tool, input, callOptions(call, isNative)),
    toModelOutput,
  }
}

/** An answer counts only if the core has asked about exactly this call; one that comes again is answered as before. */
function callOptions(call: SdkCall, isNative: boolean): CallOptions {
  const approval = isNative ? answerInHistory(call) : null
  return {
    toolCallId: call.toolCallId,
    signal: call.abortSignal,
    ...(approval ? { approval, replay: true } : {}),
  }
}
