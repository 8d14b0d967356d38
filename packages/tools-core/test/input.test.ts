import { defineTool, okResult } from '@kgent/tools-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createFixture, echoTool } from './fixture.ts'

describe('what frameworks hand over', () => {
  it('text that holds a JSON object becomes that object, and nothing becomes {}', async () => {
    const none = defineTool({
      name: 'none',
      description: 'd',
      inputSchema: z.strictObject({}),
      permissions: [],
      handler: () => okResult('ok', {}),
    })
    const { tools } = createFixture({ tools: [echoTool, none] })
    expect((await tools.call('echo', '{"text":"a"}')).ok).toBe(true)
    for (const empty of ['', ' ', null, undefined, {}])
      expect((await tools.call('none', empty)).ok).toBe(true)
  })

  it('anything that is no object is refused with the fields that are expected', async () => {
    const { tools } = createFixture()
    for (const raw of ['not json', '["a"]', '"a"', 5, ['a'], true]) {
      const { error } = await tools.call('echo', raw)
      expect(error?.message).toContain(
        'expected an object with the fields text (string), times (integer, optional)',
      )
    }
  })

  it('an unknown key is an error that names it, at any depth', async () => {
    const nested = defineTool({
      name: 'nested',
      description: 'd',
      inputSchema: z.object({
        list: z.array(z.object({ a: z.string() })),
        open: z.looseObject({}).optional(),
      }),
      permissions: [],
      handler: () => okResult('ok', {}),
    })
    const { tools } = createFixture({ tools: [echoTool, nested] })
    expect((await tools.call('echo', { text: 'a', txt: 'b' })).error?.message).toContain(
      'unknown field "txt"',
    )
    expect(
      (await tools.call('echo', JSON.parse('{"text":"a","__proto__":{"x":1}}'))).error?.message,
    ).toContain('"__proto__"')
    expect((await tools.call('nested', { list: [{ a: 'x', b: 1 }] })).error?.message).toContain('"list[0].b"')
    expect((await tools.call('nested', { list: [], open: { any: 1 } })).ok).toBe(true)
  })

  it('numbers given as text are refused with the right form', async () => {
    const { tools } = createFixture()
    expect((await tools.call('echo', { text: 'a', times: '10' })).error?.message).toContain(
      'send the number 10, not the text "10"',
    )
    expect((await tools.call('echo', { text: 'a', times: 'ten' })).error?.message).toContain(
      'times: send a number, not text',
    )
    expect((await tools.call('echo', { text: 'a', times: 1.5 })).error?.message).toContain('times')
  })

  it('null is an error on a required field and a value where the schema says so', async () => {
    const takesNull = defineTool({
      name: 'takes_null',
      description: 'd',
      inputSchema: z.strictObject({ a: z.string().nullable(), b: z.string().nullish() }),
      permissions: [],
      handler: ({ a, b }) => okResult('ok', { a, b: b === undefined ? 'absent' : b }),
    })
    const { tools } = createFixture({ tools: [echoTool, takesNull] })
    expect((await tools.call('echo', { text: null })).error?.code).toBe('invalid_input')
    expect((await tools.call('takes_null', { a: null, b: null })).data).toEqual({ a: null, b: null })
  })

  it('no text of an argument stands in the record', async () => {
    const { tools, seen } = createFixture()
    await tools.call('echo', { text: 'Mellon-1234' })
    await tools.call('echo', { text: 'Mellon-1234', times: 0 })
    expect(JSON.stringify([seen.records, seen.errors])).not.toContain('Mellon')
  })

  it('input that throws when it is touched is refused like any other, and recorded', async () => {
    const { tools, seen } = createFixture()
    const throwing = () => {
      throw new Error('touched')
    }
    const hostile = [
      new Proxy({}, { ownKeys: throwing, get: throwing }),
      {
        get text() {
          return throwing()
        },
      },
      Object.assign(Object.create(null), { text: Symbol('x') }),
      { text: 'a', toJSON: throwing },
    ]
    for (const input of hostile) expect((await tools.call('echo', input)).error?.code).toBe('invalid_input')
    expect(seen.records).toHaveLength(hostile.length)
  })
})
