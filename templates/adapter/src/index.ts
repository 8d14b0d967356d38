import { type BoundTool, toModelText } from '@kgent/tools-core'
import type { ToyTool } from '../test/toy-framework.ts'

/** Bound tools as the tools of the toy framework. A rule that says `ask` goes to the host's approver. */
export function toyTools(tools: readonly BoundTool[]): ToyTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    // As it is: a schema that a framework converts often loses what it must say.
    parameters: tool.jsonSchema(),
    // What the model wrote, unparsed: the core reads it, and its answer helps the model to a right second try.
    execute: async (written, { id, signal }) =>
      toModelText(await tool.call(written, { toolCallId: id, signal })),
  }))
}
