import { type BoundTool, requireUniqueNames, toModelText } from '@kgent/tools-core'
import type OpenAI from 'openai'
import { CallIds } from './call-ids.ts'
import type { OpenaiRunner } from './openai-runner.ts'

export interface OpenaiOptions {
  /** Form of the schemas that models are sent; `strict` also sets the tools' `strict`. Default `closed`. */
  profile?: 'closed' | 'strict'
}

/** A tool as `runTools` takes it. It has no `parse`: the text that the model wrote goes to the core as it is. */
export interface OpenaiTool<Name extends string = string> {
  type: 'function'
  function: {
    name: Name
    description: string
    parameters: OpenAI.FunctionParameters
    strict?: boolean
    function: (input: string, runner: OpenaiRunner) => Promise<string>
  }
}

/** Runnable tools in the order of the bound ones. */
export type OpenaiTools<T extends readonly BoundTool[]> = {
  -readonly [I in keyof T]: OpenaiTool<T[I]['name']>
}

/**
 * Bound tools as the `tools` of `client.chat.completions.runTools`, with and without `stream`.
 *
 * **Throws:** `KgentError` (`duplicate_tool`) when two tools have one name.
 */
export function openaiTools<const T extends readonly BoundTool[]>(
  tools: T,
  options: OpenaiOptions = {},
): OpenaiTools<T> {
  // The runner would run the last one of a name, whichever the model was told about first.
  requireUniqueNames(tools)
  const ids = new CallIds()
  return tools.map((tool) => toOpenaiTool(tool, { ...options, ids })) as OpenaiTools<T>
}

function toOpenaiTool(
  tool: BoundTool,
  { profile = 'closed', ids }: OpenaiOptions & { ids: CallIds },
): OpenaiTool {
  const { name, description } = tool
  return {
    type: 'function',
    function: {
      name,
      description,
      parameters: tool.jsonSchema({ profile, target: 'draft-07' }),
      ...(profile === 'strict' ? { strict: true } : {}),
      async function(input, runner) {
        const toolCallId = ids.take(runner, { name, input })
        return toModelText(await tool.call(input, { toolCallId, signal: runner.controller.signal }))
      },
    },
  }
}
