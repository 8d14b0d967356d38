import { type BoundTool, requireUniqueNames } from '@kgent/tools-core'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { KgentTool } from './kgent-tool.ts'

export interface LangchainOptions {
  /** Form of the schemas that models are sent. Default `closed`. */
  profile?: 'closed' | 'strict'
}

/** The tools in the order of the list, each with its name as a type. */
export type LangchainTools<T extends readonly BoundTool[]> = {
  -readonly [K in keyof T]: StructuredToolInterface & { readonly name: T[K]['name'] }
}

/**
 * Bound tools as the `tools` of `createAgent`, of a `ToolNode`, of `model.bindTools`, or to be invoked by hand with a tool
 * call. A rule that says `ask` goes to the host's approver.
 *
 * **Throws:** `KgentError` (`duplicate_tool`) when two tools have one name.
 */
export function langchainTools<const T extends readonly BoundTool[]>(
  tools: T,
  { profile = 'closed' }: LangchainOptions = {},
): LangchainTools<T> {
  requireUniqueNames(tools)
  const made: StructuredToolInterface[] = tools.map((tool) => new KgentTool(tool, profile))
  return made as LangchainTools<T>
}
