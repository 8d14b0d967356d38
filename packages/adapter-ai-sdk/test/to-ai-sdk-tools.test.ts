import { aiSdkTools } from '@kgent/adapter-ai-sdk'
import { describe, expect, it } from 'vitest'
import { createFixture } from '../../../test/adapters/notes-fixture.ts'
import { SDKS, WAYS } from './sdk.ts'

const call = (id: string, name: string, input: unknown) => ({ id, name, input: JSON.stringify(input) })

describe.each(SDKS)('AI SDK $major', (sdk) => {
  describe.each(WAYS)('%s', (way) => {
    it('runs a call and gives the model its result', async () => {
      const { toolset, records } = createFixture()
      const script = [{ calls: [call('c1', 'read_note', { path: 'a.txt' })] }, { text: 'It says hello.' }]
      const answer = await sdk.run({ script, way, tools: aiSdkTools(toolset.tools) })
      expect(answer.text).toBe('It says hello.')
      expect(answer.read('c1')).toEqual({ type: 'text', value: 'Read a.txt\n{"text":"hello"}' })
      expect(records).toMatchObject([{ tool: 'read_note', toolCallId: 'c1', status: 'ok' }])
    })

    it('matches parallel calls by their ids', async () => {
      const { toolset, records, files } = createFixture()
      files.set('workspace/b.txt', 'world')
      const calls = [
        call('c1', 'read_note', { path: 'a.txt' }),
        call('c2', 'read_note', { path: 'b.txt' }),
        call('c3', 'write_note', { path: 'c.txt', text: '!' }),
      ]
      const answer = await sdk.run({
        script: [{ calls }, { text: 'Done.' }],
        way,
        tools: aiSdkTools(toolset.tools),
      })
      expect(answer.read('c1')?.value).toContain('hello')
      expect(answer.read('c2')?.value).toContain('world')
      expect(answer.read('c3')?.value).toContain('Wrote c.txt')
      expect(records.map(({ toolCallId }) => toolCallId).sort()).toEqual(['c1', 'c2', 'c3'])
    })

    it('gives the model a denial to read, with the reason, and goes on', async () => {
      const { toolset, records, ran } = createFixture({ effects: { filesystemWrite: 'deny' } })
      const script = [
        { calls: [call('c1', 'write_note', { path: 'a.txt', text: 'x' })] },
        { text: 'Not allowed.' },
      ]
      const answer = await sdk.run({ script, way, tools: aiSdkTools(toolset.tools) })
      expect(answer.read('c1')).toMatchObject({
        type: 'error-text',
        value: expect.stringMatching(/permission_denied.*filesystemWrite.*the test says so/s),
      })
      expect(answer.text).toBe('Not allowed.')
      expect(ran).toEqual([])
      expect(records).toMatchObject([{ status: 'denied', toolCallId: 'c1' }])
    })

    it('leaves validation to the core, whose answer the model reads', async () => {
      const { toolset, records, ran } = createFixture()
      const calls = [
        call('c1', 'read_note', { file: 'a.txt' }),
        call('c2', 'read_note', 'a.txt'),
        call('c3', 'read_note', ['a.txt']),
        { id: 'c4', name: 'read_note', input: '' },
      ]
      const answer = await sdk.run({
        script: [{ calls }, { text: 'Sorry.' }],
        way,
        tools: aiSdkTools(toolset.tools),
      })
      expect(answer.read('c1')?.value).toMatch(/invalid_input.*unknown field "file"/)
      expect(answer.read('c2')?.value).toMatch(/invalid_input.*expected an object with the fields path/)
      expect(answer.read('c3')?.value).toMatch(/invalid_input.*expected an object with the fields path/)
      expect(answer.read('c4')?.value).toMatch(/invalid_input.*path/)
      expect(ran).toEqual([])
      expect(records.map(({ status }) => status)).toEqual(Array(4).fill('invalid'))
    })

    it('sends every input back to the provider as an object', async () => {
      const { toolset } = createFixture()
      const texts = ['"a.txt"', '["a.txt"]', 'null', '7', '{"path":"a.txt"}']
      const calls = texts.map((input, index) => ({ id: `c${index}`, name: 'read_note', input }))
      const { prompts } = await sdk.run({
        script: [{ calls }, { text: '' }],
        way,
        tools: aiSdkTools(toolset.tools),
      })
      const inputs = prompts
        .at(-1)
        ?.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
        .filter(({ type }) => type === 'tool-call')
        .map(({ input }) => input)
      expect(inputs).toEqual([
        { $raw: 'a.txt' },
        { $raw: ['a.txt'] },
        { $raw: null },
        { $raw: 7 },
        { path: 'a.txt' },
      ])
    })

    it('answers an unexpected failure without its text', async () => {
      const { toolset } = createFixture()
      const script = [{ calls: [call('c1', 'crash', {})] }, { text: 'It broke.' }]
      const answer = await sdk.run({ script, way, tools: aiSdkTools(toolset.tools) })
      expect(answer.read('c1')).toMatchObject({
        type: 'error-text',
        value: expect.stringContaining('internal'),
      })
      expect(JSON.stringify([answer.prompts, answer.parts, answer.responseMessages])).not.toContain(
        'secret-token',
      )
    })
  })

  it('sends closed schemas in draft-07 form, and strict ones on request', async () => {
    const { toolset } = createFixture()
    const closed = await sdk.run({ script: [{ text: '' }], tools: aiSdkTools(toolset.tools) })
    const strict = await sdk.run({
      script: [{ text: '' }],
      tools: aiSdkTools(toolset.tools, { profile: 'strict' }),
    })
    const [read, , count] = closed.tools
    expect(read?.inputSchema).toEqual(
      toolset.tool('read_note')?.jsonSchema({ profile: 'closed', target: 'draft-07' }),
    )
    expect(count?.inputSchema).toEqual({ type: 'object', properties: {}, additionalProperties: false })
    expect(strict.tools[0]?.inputSchema).toMatchObject({
      required: ['path', 'limit'],
      properties: { limit: { type: ['integer', 'null'] } },
    })
    expect(strict.tools[0]?.strict).toBe(sdk.major === 5 ? undefined : true)
    expect(closed.tools[0]?.inputExamples).toEqual(
      sdk.major === 5 ? undefined : [{ input: { path: 'a.txt' } }],
    )
    expect(strict.tools[0]?.inputExamples).toBeUndefined()
  })

  it('finds no tool behind the names that every object has', async () => {
    const { toolset } = createFixture()
    const calls = ['constructor', 'toString', '__proto__'].map((name) => call(name, name, {}))
    const answer = await sdk.run({
      script: [{ calls }, { text: 'No such tools.' }],
      tools: aiSdkTools(toolset.tools),
    })
    for (const { id } of calls) expect(answer.read(id)?.value).toMatch(/unavailable tool/)
  })

  it('answers a call that comes again under its id from the first result', async () => {
    const { toolset, ran, records } = createFixture()
    const calls = [call('c1', 'write_note', { path: 'a.txt', text: 'x' })]
    const script = [{ calls }, { calls }, { text: 'Done.' }]
    await sdk.run({ script, tools: aiSdkTools(toolset.tools) })
    expect(ran).toEqual(['write_note a.txt c1'])
    expect(records.map(({ attempt }) => attempt)).toEqual([1, 2])
  })
})

it('refuses two tools of one name', () => {
  const { toolset } = createFixture()
  expect(() => aiSdkTools([...toolset.tools, ...toolset.tools])).toThrow(/Two tools are named read_note/)
})
