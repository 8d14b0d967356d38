import type Anthropic from '@anthropic-ai/sdk'
import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool'
import { type AnthropicTools, anthropicTools, type BoundTool } from '@kgent/adapter-anthropic'
import type { Toolset } from '@kgent/tools-core'
import { describe, expectTypeOf, it } from 'vitest'

declare const client: Anthropic
declare const toolset: Toolset
declare const read: BoundTool<'read_file', { path: string }>
declare const write: BoundTool<'write_file', { path: string; content: string }>

describe('types', () => {
  it('keep the names of the tools, in their order', () => {
    const tools = anthropicTools([read, write])
    expectTypeOf(tools).toEqualTypeOf<AnthropicTools<readonly [typeof read, typeof write]>>()
    expectTypeOf(tools[1].name).toEqualTypeOf<'write_file'>()
    // @ts-expect-error there is no third tool
    tools[2]
  })

  it('are what the runner takes', () => {
    const params = { model: 'any', max_tokens: 1, messages: [] }
    expectTypeOf(anthropicTools([read])[0]).toExtend<BetaRunnableTool<unknown>>()
    client.beta.messages.toolRunner({ ...params, tools: anthropicTools([read, write]) })
    client.beta.messages.toolRunner({ ...params, tools: anthropicTools(toolset.tools), stream: true })
  })

  it('know the profiles', () => {
    // @ts-expect-error there is no such profile
    anthropicTools([read], { profile: 'open' })
  })
})
