import type { BetaMessage } from '@anthropic-ai/sdk/resources/beta'
import { anthropicTools, recordUnknownCalls } from '@kgent/adapter-anthropic'
import { describe, expect, it } from 'vitest'
import { createFixture } from './fixture.ts'
import { runLoop, WAYS } from './loop.ts'

const callOf = (name: string) => ({ calls: [{ id: `id-${name}`, name, input: '{}' }] })

describe.each(WAYS)('%s', (way) => {
  it('records a call to no tool, which the SDK answers', async () => {
    const { toolset, records, ran } = createFixture()
    const tools = anthropicTools(toolset.tools)
    const answer = await runLoop({
      way,
      script: [callOf('no_such_tool'), callOf('constructor'), callOf('write_note'), { text: 'Done.' }],
      tools,
      onMessage: (message) => recordUnknownCalls(toolset, { message, tools }),
    })
    expect(records.map(({ tool, toolCallId, error }) => [tool, toolCallId, error?.code])).toEqual([
      ['no_such_tool', 'id-no_such_tool', 'unknown_tool'],
      ['constructor', 'id-constructor', 'unknown_tool'],
      ['write_note', 'id-write_note', undefined],
    ])
    expect(answer.results[0]).toEqual({
      id: 'id-no_such_tool',
      text: "Error: Tool 'no_such_tool' not found",
      isError: true,
    })
    expect(ran).toEqual(['write_note a.txt id-write_note'])
  })
})

describe('recordUnknownCalls', () => {
  const messageOf = (block: object) => ({ content: [block] }) as unknown as BetaMessage
  const use = (name: string) => messageOf({ type: 'tool_use', id: 'c1', name, input: {} })

  it('leaves the tools of the host alone', async () => {
    const { toolset, records } = createFixture()
    await recordUnknownCalls(toolset, { message: use('hosts_own'), tools: [{ name: 'hosts_own' }] })
    expect(records).toEqual([])
  })

  it('leaves the calls of the SDK’s own toolsets and of the server’s tools alone', async () => {
    const { toolset, records } = createFixture()
    const member = { type: 'tool_use', id: 'c1', name: 'click', toolset_name: 'computer', input: {} }
    const server = { type: 'server_tool_use', id: 'c2', name: 'web_search', input: {} }
    for (const block of [member, server])
      await recordUnknownCalls(toolset, { message: messageOf(block), tools: [] })
    expect(records).toEqual([])
  })

  it('starts no tool that the run has and the host has left out', async () => {
    const { toolset, ran } = createFixture()
    const tools = toolset.tools.filter(({ name }) => name !== 'write_note')
    await recordUnknownCalls({ tools, call: toolset.call }, { message: use('write_note'), tools })
    expect(ran).toEqual([])
  })
})
