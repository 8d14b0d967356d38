import {
  type BoundTool,
  type OpenAIAgentsTool,
  openaiAgentsTools,
  recordRejections,
  runnerConfig,
} from '@kgent/adapter-openai-agents'
import type { Toolset } from '@kgent/tools-core'
import { Agent, Runner } from '@openai/agents'
import { describe, expectTypeOf, it } from 'vitest'

declare const toolset: Toolset
declare const read: BoundTool<'read_file', { path: string }>
declare const write: BoundTool<'write_file', { path: string; content: string }>

describe('types', () => {
  it('keep the names of the tools, in order', () => {
    const tools = openaiAgentsTools([read, write])
    expectTypeOf(tools).toEqualTypeOf<[OpenAIAgentsTool<'read_file'>, OpenAIAgentsTool<'write_file'>]>()
    expectTypeOf(tools[0].name).toEqualTypeOf<'read_file'>()
  })

  it('fit an agent of any context, and its runner', async () => {
    const agent = new Agent({ name: 'A', tools: openaiAgentsTools([read, write]) })
    new Agent<{ user: string }>({ name: 'B', tools: openaiAgentsTools(toolset.tools) })
    const result = await new Runner(runnerConfig(toolset)).run(agent, 'Hello.')
    await recordRejections(toolset.tools, result.state)
  })

  it('refuse options that do not exist', () => {
    // @ts-expect-error the SDK asks by itself, or the host does
    openaiAgentsTools([read], { approval: 'sometimes' })
  })
})
