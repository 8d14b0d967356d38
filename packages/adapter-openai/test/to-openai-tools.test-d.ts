import { type OpenaiTool, openaiTools } from '@kgent/adapter-openai'
import type { BoundTool } from '@kgent/tools-core'
import type OpenAI from 'openai'
import { expectTypeOf, test } from 'vitest'

declare const readFile: BoundTool<'read_file'>
declare const writeFile: BoundTool<'write_file'>
declare const client: OpenAI

test('tools keep their names and their order', () => {
  const tools = openaiTools([readFile, writeFile])
  expectTypeOf(tools).toEqualTypeOf<[OpenaiTool<'read_file'>, OpenaiTool<'write_file'>]>()
})

test('runTools takes them, beside the host’s own, with and without a context and a stream', () => {
  const tools = openaiTools([readFile, writeFile])
  const head = { model: 'm', messages: [] }
  expectTypeOf(client.chat.completions.runTools({ ...head, tools }).finalContent()).resolves.toEqualTypeOf<
    string | null
  >()
  client.chat.completions.runTools({ ...head, tools, stream: true }).on('chunk', () => {})
  client.chat.completions.runTools({ ...head, tools, toolContext: { user: 'ada' } })
})

test('only the two profiles are taken', () => {
  // @ts-expect-error: 'plain' would let unknown keys through.
  openaiTools([readFile], { profile: 'plain' })
})
