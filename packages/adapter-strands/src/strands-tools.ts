import { type BoundTool, requireUniqueNames } from '@kgent/tools-core'
import type { Tool } from '@strands-agents/sdk'
import { KgentTool } from './kgent-tool.ts'

export interface StrandsOptions {
  /** Who asks a person when a rule says `ask`: an interrupt of the agent, or the approver of the host. Default `native`. */
  approval?: 'native' | 'host'
  /** Form of the schemas that models are sent. Default `closed`. */
  profile?: 'closed' | 'strict'
}

/** The tools in the order of the list, each with its name as a type. */
export type StrandsTools<T extends readonly BoundTool[]> = {
  -readonly [K in keyof T]: Tool & { readonly name: T[K]['name'] }
}

/**
 * Bound tools as the `tools` of a Strands agent.
 *
 * **Throws:** `KgentError` (`duplicate_tool`) when two tools have one name.
 */
export function strandsTools<const T extends readonly BoundTool[]>(
  tools: T,
  { approval = 'native', profile = 'closed' }: StrandsOptions = {},
): StrandsTools<T> {
  requireUniqueNames(tools)
  const made: Tool[] = tools.map((tool) => new KgentTool(tool, { approval, profile }))
  return made as StrandsTools<T>
}
