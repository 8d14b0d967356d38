import { type BoundTool, KgentError } from '@kgent/tools-core'
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
  const names = new Set<string>()
  for (const { name } of tools) {
    if (names.has(name)) {
      throw new KgentError(
        'duplicate_tool',
        `Two tools are named ${name}. Rename one, or leave it out of the list.`,
      )
    }
    names.add(name)
  }
  const made: Tool[] = tools.map((tool) => new KgentTool(tool, { approval, profile }))
  return made as StrandsTools<T>
}
