import {
  type AiSdkTools,
  aiSdkTools,
  type BoundTool,
  repairToolCall,
  type ToolOutput,
  toolApproval,
} from '@kgent/adapter-ai-sdk'
import type { Toolset } from '@kgent/tools-core'
import {
  generateText,
  type InferToolInput,
  type InferToolOutput,
  type LanguageModel,
  streamText,
  type Tool,
  ToolLoopAgent,
  type ToolSet,
} from 'ai'
import { describe, expectTypeOf, it } from 'vitest'

declare const model: LanguageModel
declare const toolset: Toolset
declare const read: BoundTool<'read_file', { path: string }>
declare const write: BoundTool<'write_file', { path: string; content: string }>

describe('types', () => {
  it('key a set by the names of its tools', () => {
    const tools = aiSdkTools([read, write])
    expectTypeOf(tools).toEqualTypeOf<AiSdkTools<readonly [typeof read, typeof write]>>()
    expectTypeOf<keyof typeof tools>().toEqualTypeOf<'read_file' | 'write_file'>()
    expectTypeOf(tools).toExtend<ToolSet>()
    // @ts-expect-error there is no such tool
    tools.delete_file
    expectTypeOf<keyof ReturnType<typeof toolApproval<[typeof read]>>>().toEqualTypeOf<'read_file'>()
  })

  it('take a list of tools whose names are not known', () => {
    expectTypeOf(aiSdkTools(toolset.tools)).toExtend<ToolSet>()
    expectTypeOf<AiSdkTools<BoundTool[]>['any_name']>().toEqualTypeOf<Tool<unknown, ToolOutput>>()
  })

  it('say that inputs are unchecked and outputs are results', () => {
    type Read = AiSdkTools<[typeof read]>['read_file']
    expectTypeOf<InferToolInput<Read>>().toEqualTypeOf<unknown>()
    expectTypeOf<InferToolOutput<Read>>().toEqualTypeOf<ToolOutput>()
  })

  it('reach the calls and results of the SDK', async () => {
    const tools = aiSdkTools([read, write])
    const { toolCalls, toolResults } = await generateText({ model, tools, prompt: '' })
    const [call] = toolCalls
    if (call && !call.dynamic) expectTypeOf(call.toolName).toEqualTypeOf<'read_file' | 'write_file'>()
    const [result] = toolResults
    if (result && !result.dynamic) expectTypeOf(result.output).toEqualTypeOf<ToolOutput>()
  })

  it('fit the options of the functions and of the agent class', () => {
    const tools = aiSdkTools([read, write])
    const options = {
      model,
      tools,
      toolApproval: toolApproval([read, write]),
      repairToolCall: repairToolCall(toolset),
    }
    streamText({ ...options, prompt: '' })
    new ToolLoopAgent(options)
    const unnamed = { tools: aiSdkTools(toolset.tools), toolApproval: toolApproval(toolset.tools) }
    streamText({ model, prompt: '', ...unnamed })
    new ToolLoopAgent({ model, ...unnamed })
  })

  it('refuse options that do not exist', () => {
    // @ts-expect-error there is no such approval
    aiSdkTools([read], { approval: 'nobody' })
    // @ts-expect-error there is no such profile
    aiSdkTools([read], { profile: 'open' })
  })
})
