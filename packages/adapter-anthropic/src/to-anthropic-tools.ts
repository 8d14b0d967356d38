import type { BetaToolRunContext } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool'
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError'
import type { BetaTool } from '@anthropic-ai/sdk/resources/beta'
import { type BoundTool, requireUniqueNames, toModelText } from '@kgent/tools-core'
import { inputAsWritten } from './input-as-written.ts'

export interface AnthropicOptions {
  /** Form of the schemas that models are sent; `strict` also sets the tools' `strict`. Default `closed`. */
  profile?: 'closed' | 'strict'
}

/** A runnable tool of `toolRunner`. Its `parse` takes everything: only the core validates. */
export interface AnthropicTool<Name extends string = string> {
  type: 'custom'
  name: Name
  description: string
  input_schema: BetaTool.InputSchema
  strict?: boolean
  input_examples?: { [key: string]: unknown }[]
  parse: (content: unknown) => unknown
  run: (input: unknown, context?: BetaToolRunContext) => Promise<string>
}

/** Runnable tools in the order of the bound ones. */
export type AnthropicTools<T extends readonly BoundTool[]> = {
  -readonly [I in keyof T]: AnthropicTool<T[I]['name']>
}

/**
 * Bound tools as the `tools` of `client.beta.messages.toolRunner`, with and without `stream`.
 *
 * **Throws:** `KgentError` (`duplicate_tool`) when two tools have one name.
 */
export function anthropicTools<const T extends readonly BoundTool[]>(
  tools: T,
  options: AnthropicOptions = {},
): AnthropicTools<T> {
  requireUniqueNames(tools)
  return tools.map((tool) => toAnthropicTool(tool, options)) as AnthropicTools<T>
}

function toAnthropicTool(tool: BoundTool, { profile = 'closed' }: AnthropicOptions): AnthropicTool {
  return {
    type: 'custom',
    name: tool.name,
    description: tool.description,
    // The API reads schemas as this dialect. The root of a tool's schema is always an object.
    input_schema: tool.jsonSchema({ profile, target: 'draft-2020-12' }) as BetaTool.InputSchema,
    ...extras(tool, profile),
    parse: (content) => content,
    run: (input, context) => run(tool, input, context),
  }
}

/** Examples leave optional fields away, which a strict schema does not allow. */
function extras(
  tool: BoundTool,
  profile: 'closed' | 'strict',
): Pick<AnthropicTool, 'strict' | 'input_examples'> {
  if (profile === 'strict') return { strict: true }
  return tool.inputExamples.length > 0 ? { input_examples: [...tool.inputExamples] } : {}
}

async function run(tool: BoundTool, input: unknown, context?: BetaToolRunContext): Promise<string> {
  const { toolUse, signal } = context ?? {}
  const result = await tool.call(inputAsWritten(input, toolUse), {
    toolCallId: toolUse?.id,
    signal: signal ?? undefined,
  })
  const text = toModelText(result)
  // The runner sets `is_error` for what is thrown, and for nothing else.
  if (!result.ok) throw new ToolError(text)
  return text
}
