import { aiSdkTools, type ToolOutput, toModelOutput } from '@kgent/adapter-ai-sdk'
import { failure, okResult } from '@kgent/tools-core'
import * as ai7 from 'ai'
import * as ai5 from 'ai5'
import * as ai6 from 'ai6'
import { describe, expect, it } from 'vitest'
import { createFixture } from '../../../test/adapters/notes-fixture.ts'

const ok = okResult('Read a.txt', { text: 'hello' })
const failed = failure('not_found', 'Nothing is at b.txt.', { hint: 'Did you mean a.txt?' })
const unfinished: ToolOutput = { ok: null, summary: 'Step 1 of 3', data: null, artifacts: [], error: null }

describe('toModelOutput', () => {
  it('understands the call form of 5 and that of 6 and 7', () => {
    for (const output of [ok, failed, unfinished]) {
      const options = { toolCallId: 'c1', input: {}, output }
      expect(toModelOutput(output)).toEqual(toModelOutput(options))
    }
  })

  it('marks what failed as an error, with its code and hint', () => {
    expect(toModelOutput(ok)).toEqual({ type: 'text', value: 'Read a.txt\n{"text":"hello"}' })
    expect(toModelOutput(failed)).toEqual({
      type: 'error-text',
      value: 'Failed (not_found): Nothing is at b.txt.\nHint: Did you mean a.txt?',
    })
  })

  it('does not pass progress off as a result', () => {
    expect(toModelOutput(unfinished)).toEqual({
      type: 'error-text',
      value: 'No result: the call was still running when this was said: Step 1 of 3',
    })
  })

  it('says stored outputs of another form as JSON instead of throwing', () => {
    for (const output of [
      'text',
      7,
      null,
      undefined,
      [],
      {},
      { ok: true },
      { ...ok, artifacts: undefined },
    ]) {
      const { type, value } = toModelOutput({ toolCallId: 'c1', output })
      expect([type, value]).toEqual(['text', JSON.stringify(output) ?? ''])
    }
    expect(toModelOutput('text').value).toBe('"text"')
  })
})

type Convert = (messages: unknown, options: object) => unknown

describe.each([
  { major: 5, convert: ai5.convertToModelMessages as Convert },
  { major: 6, convert: ai6.convertToModelMessages as Convert },
  { major: 7, convert: ai7.convertToModelMessages as Convert },
])('AI SDK $major', ({ convert }) => {
  it('is used for results that come back in the messages of a client', async () => {
    const { toolset } = createFixture()
    const part = {
      type: 'tool-read_note',
      toolCallId: 'c1',
      state: 'output-available',
      input: {},
      output: failed,
    }
    const stored = JSON.parse(JSON.stringify([{ id: 'm1', role: 'assistant', parts: [part] }]))
    const messages = (await convert(stored, { tools: aiSdkTools(toolset.tools) })) as { content: unknown }[]
    expect(messages.at(-1)?.content).toMatchObject([{ type: 'tool-result', output: toModelOutput(failed) }])
  })
})
