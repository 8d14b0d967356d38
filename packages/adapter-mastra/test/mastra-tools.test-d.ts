import { type BoundTool, mastraTools, type ToolResult } from '@kgent/adapter-mastra'
import { Agent, type ToolsInput } from '@mastra/core/agent'
import type { Tool } from '@mastra/core/tools'
import { describe, expectTypeOf, it } from 'vitest'

declare const read: BoundTool<'read_file', { path: string }>
declare const write: BoundTool<'write_file', { path: string; content: string }>

describe('types', () => {
  it('are the tools of an agent, keyed by name', () => {
    const tools = mastraTools([read, write])
    expectTypeOf(tools).toExtend<ToolsInput>()
    expectTypeOf<keyof typeof tools>().toEqualTypeOf<'read_file' | 'write_file'>()
    expectTypeOf(tools.read_file).toEqualTypeOf<Tool<unknown, ToolResult>>()
    new Agent({ id: 'a', name: 'a', instructions: '', model: 'openai/gpt-5', tools })
  })
})
