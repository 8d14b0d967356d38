import {
  ajvValidator,
  BUILT_IN_TOOLS,
  bindTools,
  defineTool,
  fromJsonSchema,
  okResult,
} from '@kgent/tools-core'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { Ajv } from 'ajv'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createFixture, echoTool } from './fixture.ts'

const base = { name: 'a_tool', description: 'd', permissions: [], handler: () => okResult('ok', {}) } as const

describe('defineTool', () => {
  it.each([
    ['a bad name', { ...base, name: 'Bad-Name', inputSchema: z.object({}) }, 'must match'],
    ['no description', { ...base, description: ' ', inputSchema: z.object({}) }, 'description'],
    [
      'no permissions',
      { ...base, permissions: undefined as never, inputSchema: z.object({}) },
      'permissions: []',
    ],
    ['a root that is no object', { ...base, inputSchema: z.string() as never }, 'object at its root'],
    ['a date', { ...base, inputSchema: z.object({ d: z.date() }) }, 'JSON Schema cannot say'],
    [
      'a map',
      { ...base, inputSchema: z.object({ d: z.map(z.string(), z.string()) }) },
      'JSON Schema cannot say',
    ],
    ['a bigint', { ...base, inputSchema: z.object({ d: z.bigint() }) }, 'JSON Schema cannot say'],
    ['no schema', { ...base, inputSchema: {} as never }, 'zod 4.2'],
  ])('fails at definition for %s', (_what, definition, message) => {
    expect(() => defineTool(definition)).toThrow(message)
  })

  it('two tools of one name are an error that names both origins', () => {
    const twin = defineTool({ ...base, name: 'echo', title: 'Mine', inputSchema: z.object({}) })
    expect(() => createFixture({ tools: [echoTool, twin] })).toThrow(/echo.*“Give the text back.”.*“Mine”/)
  })
})

describe('the schema that is sent', () => {
  const optional = defineTool({
    ...base,
    inputSchema: z.object({
      a: z.string(),
      n: z.int().default(1),
      e: z.enum(['x', 'y']).optional(),
      o: z.object({ b: z.string().optional() }).optional(),
    }),
  })
  const [tool] = createFixture({ tools: [optional] }).tools.tools

  it('closed refuses unknown keys everywhere and does not require defaults', () => {
    const schema = tool?.jsonSchema({ profile: 'closed', target: 'draft-2020-12' })
    expect(schema).toMatchObject({ type: 'object', required: ['a'], additionalProperties: false })
    expect(schema?.properties).toMatchObject({ o: { additionalProperties: false } })
  })

  it('strict requires every property and makes optional ones nullable', () => {
    const schema = tool?.jsonSchema({ profile: 'strict', target: 'draft-07' })
    expect(schema?.required).toEqual(['a', 'n', 'e', 'o'])
    expect(schema?.properties).toMatchObject({
      n: { type: ['integer', 'null'] },
      e: { enum: ['x', 'y', null] },
      o: { type: ['object', 'null'] },
    })
    expect(new Ajv().compile(schema as object)({ a: 'x', n: null, e: null, o: null })).toBe(true)
  })

  it('a tool without arguments is an object with properties, even when empty', () => {
    for (const profile of ['plain', 'closed', 'strict'] as const) {
      const none = createFixture({ tools: [defineTool({ ...base, inputSchema: z.strictObject({}) })] }).tools
        .tools[0]
      expect(none?.jsonSchema({ profile })).toMatchObject({
        type: 'object',
        properties: {},
        additionalProperties: false,
      })
    }
  })

  it('every built-in schema compiles in every dialect and profile', () => {
    const { tools } = createFixture({ tools: [...BUILT_IN_TOOLS] })
    for (const built of tools.tools) {
      for (const profile of ['plain', 'closed', 'strict'] as const) {
        expect(() => new Ajv({ strict: false }).compile(built.jsonSchema({ profile }))).not.toThrow()
        expect(built.jsonSchema({ profile, target: 'openapi-3.0' }).type).toBe('object')
      }
    }
  })
})

describe('other schema libraries', () => {
  it('arktype, valibot and plain JSON Schema with Ajv serve as well as zod', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    }
    const dynamic = defineTool({
      ...base,
      name: 'dynamic',
      inputSchema: fromJsonSchema<{ a: string }>(schema, ajvValidator(new Ajv(), schema)),
      handler: ({ a }) => okResult('ok', { a }),
    })
    const ark = defineTool({
      ...base,
      name: 'ark',
      inputSchema: type({ a: 'string' }),
      handler: ({ a }) => okResult('ok', { a }),
    })
    const fromValibot = defineTool({
      ...base,
      name: 'from_valibot',
      inputSchema: toStandardJsonSchema(v.strictObject({ a: v.string() })),
      handler: ({ a }) => okResult('ok', { a }),
    })
    const { tools } = createFixture({ tools: [dynamic, ark, fromValibot] })
    for (const name of ['dynamic', 'ark', 'from_valibot']) {
      expect((await tools.call(name, { a: 'x' })).data).toEqual({ a: 'x' })
      expect((await tools.call(name, { a: 5 })).error?.code).toBe('invalid_input')
      expect((await tools.call(name, { a: 'x', b: 1 })).error?.message).toContain('"b"')
    }
  })
})

it('bound tools give no way to the bare handler', () => {
  const [bound] = bindTools([echoTool], { context: {} as never, policy: () => ({}) as never })
  expect(Object.keys(bound ?? {}).sort()).toEqual([
    'annotations',
    'call',
    'decide',
    'description',
    'inputExamples',
    'inputSchema',
    'jsonSchema',
    'name',
    'title',
  ])
})
