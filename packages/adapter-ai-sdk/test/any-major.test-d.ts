import { aiSdkTools, type BoundTool, repairToolCall, type ToolOutput } from '@kgent/adapter-ai-sdk'
import type { Toolset } from '@kgent/tools-core'
import { generateText, type InferToolOutput, type LanguageModel, streamText, type ToolSet } from 'ai'
import { describe, expectTypeOf, it } from 'vitest'

// Checked with each major in the place of `ai`: see any-major.test.ts.

declare const model: LanguageModel
declare const toolset: Toolset
declare const read: BoundTool<'read_file', { path: string }>
declare const write: BoundTool<'write_file', { path: string; content: string }>

describe('types', () => {
  it('are a tool set of the installed major, keyed by name', async () => {
    const tools = aiSdkTools([read, write])
    expectTypeOf(tools).toExtend<ToolSet>()
    expectTypeOf(aiSdkTools(toolset.tools)).toExtend<ToolSet>()
    expectTypeOf<keyof typeof tools>().toEqualTypeOf<'read_file' | 'write_file'>()
    expectTypeOf<InferToolOutput<typeof tools.read_file>>().toEqualTypeOf<ToolOutput>()
    const options = { model, tools, prompt: '', experimental_repairToolCall: repairToolCall(toolset) }
    streamText(options)
    const { toolCalls } = await generateText(options)
    const [call] = toolCalls
    if (call && !call.dynamic) expectTypeOf(call.toolName).toEqualTypeOf<'read_file' | 'write_file'>()
  })
})
