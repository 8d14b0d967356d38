import { strandsTools } from '@kgent/adapter-strands'
import type { BoundTool } from '@kgent/tools-core'
import type { AgentConfig, Tool } from '@strands-agents/sdk'
import { expectTypeOf, it } from 'vitest'

declare const read: BoundTool<'read_file'>
declare const write: BoundTool<'write_file'>
declare const many: readonly BoundTool[]

it('keeps the names and the order of a list', () => {
  const [first, second] = strandsTools([read, write])
  expectTypeOf(first.name).toEqualTypeOf<'read_file'>()
  expectTypeOf(second.name).toEqualTypeOf<'write_file'>()
})

it('fits an agent, whatever the list', () => {
  expectTypeOf(strandsTools(many)).toExtend<Tool[]>()
  expectTypeOf(strandsTools(many)).toExtend<NonNullable<AgentConfig['tools']>>()
  expectTypeOf(strandsTools([read])).toExtend<NonNullable<AgentConfig['tools']>>()
})
