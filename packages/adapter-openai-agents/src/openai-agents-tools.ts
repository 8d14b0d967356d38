import { type BoundTool, requireUniqueNames, toModelText } from '@kgent/tools-core'
import { type FunctionTool, tool as sdkTool } from '@openai/agents'
import { answerOf, needsApproval } from './approval.ts'
import { refuseUnreadable, unreadableInputGuardrail } from './unreadable-input.ts'

export interface OpenAIAgentsOptions {
  /**
   * Who asks a person when a rule says `ask`: the SDK, which interrupts the run, or the approver of the host.
   * Default `native`.
   */
  approval?: 'native' | 'host'
  /** Form of the schemas that models are sent; `strict` also sets the tools' `strict`. Default `closed`. */
  profile?: 'closed' | 'strict'
}

/**
 * A function tool of the SDK. Its parameters are not typed: the SDK hands on what the model sent, unchecked. The member
 * left out would tie the type to agents of one context.
 */
export type OpenAIAgentsTool<Name extends string = string> = Omit<
  FunctionTool,
  'name' | 'customDataExtractor'
> & { name: Name }

/** The SDK's tools, in the order of the bound ones. */
export type OpenAIAgentsTools<T extends readonly BoundTool[]> = {
  -readonly [I in keyof T]: OpenAIAgentsTool<T[I]['name']>
}

/**
 * Bound tools as the `tools` of an `Agent`. Give its `Runner` the `runnerConfig` as well.
 *
 * **Throws:** `KgentError` (`duplicate_tool`) when two tools have one name.
 */
export function openaiAgentsTools<const T extends readonly BoundTool[]>(
  tools: T,
  options: OpenAIAgentsOptions = {},
): OpenAIAgentsTools<T> {
  requireUniqueNames(tools)
  return tools.map((tool) => toSdkTool(tool, options)) as OpenAIAgentsTools<T>
}

function toSdkTool(tool: BoundTool, { approval = 'native', profile = 'closed' }: OpenAIAgentsOptions) {
  const isNative = approval === 'native'
  const made = sdkTool({
    name: tool.name,
    description: tool.description,
    // The SDK's own strict mode rewrites the schema and the input.
    strict: false,
    // Its type asks for open objects; the value is sent as it is.
    parameters: tool.jsonSchema({ profile, target: 'draft-07' }) as never,
    needsApproval: isNative ? needsApproval(tool) : false,
    inputGuardrails: isNative ? [unreadableInputGuardrail(tool)] : [],
    async execute(input: unknown, context, details) {
      const toolCallId = details?.toolCall?.callId
      const answer = isNative && context ? answerOf(tool, context, toolCallId) : null
      const result = await tool.call(input, {
        toolCallId,
        signal: details?.signal,
        // An answer that comes again is answered as before.
        ...(answer ? { approval: answer, replay: true } : {}),
      })
      return toModelText(result)
    },
    errorFunction: (_context, _error, details) => refuseUnreadable(tool, details?.toolCall),
  })
  return { ...made, strict: profile === 'strict' }
}
