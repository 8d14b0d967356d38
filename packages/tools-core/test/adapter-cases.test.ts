import { createToolset, toModelText } from '@kgent/tools-core'
import { adapterCases } from '@kgent/tools-core/testing'
import { describe, expect, it } from 'vitest'
import { rightAdapter, type ToyAdapter, toyDriver } from './toy-framework.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Faults that were seen in bindings to real frameworks, each with the case that must catch it. */
const BROKEN: [string, string, Partial<ToyAdapter>][] = [
  [
    'a tool is renamed',
    'schema/names',
    {
      toolsSent: (tools) =>
        rightAdapter.toolsSent(tools).map((t) => ({ ...t, name: t.name.replaceAll('_', '-') })),
    },
  ],
  [
    'descriptions are cut',
    'schema/descriptions',
    {
      toolsSent: (tools) =>
        rightAdapter.toolsSent(tools).map((t) => ({ ...t, description: t.description.slice(0, 5) })),
    },
  ],
  [
    'schemas lose their closedness',
    'schema/closed',
    {
      toolsSent: (tools) =>
        tools.map((t) => ({
          name: t.name,
          description: t.description,
          schema: { ...t.jsonSchema(), additionalProperties: true },
        })),
    },
  ],
  [
    'defaults become required',
    'schema/required',
    {
      toolsSent: (tools) =>
        tools.map((t) => ({
          name: t.name,
          description: t.description,
          schema: t.jsonSchema({ profile: 'strict' }),
        })),
    },
  ],
  [
    'an empty schema is dropped',
    'schema/no-arguments',
    {
      toolsSent: (tools) =>
        rightAdapter
          .toolsSent(tools)
          .map((t) => ({ ...t, schema: Object.keys(t.schema.properties as object).length ? t.schema : {} })),
    },
  ],
  [
    'calls are made twice',
    'call/once',
    {
      run: async (tool, call, s, a) => {
        await tool.call(call.input)
        return rightAdapter.run(tool, call, s, a)
      },
    },
  ],
  ['call ids are lost', 'call/id', { run: async (tool, call) => toModelText(await tool.call(call.input)) }],
  [
    'null is dropped by hand, at the root only',
    'call/null',
    {
      run: async (tool, call, s, a) =>
        rightAdapter.run(tool, { ...call, input: call.input.replace('"times":null,', '"times":"",') }, s, a),
    },
  ],
  [
    'results of one answer are mixed up',
    'call/parallel',
    {
      arrange: (results) =>
        results.map(({ id }, index) => ({ id, text: results[(index + 1) % results.length]?.text ?? '' })),
    },
  ],
  [
    'large data is put back into the answer',
    'call/large',
    {
      run: async (tool, call) => {
        const r = await tool.call(call.input, { toolCallId: call.id })
        return toModelText(r) + 'x'.repeat(r.artifacts.length * 20_000)
      },
    },
  ],
  [
    'progress is swallowed',
    'call/progress',
    {
      run: async (tool, call, s, a) =>
        toModelText(await tool.call(call.input, { toolCallId: call.id, signal: s.signal, approval: a })),
    },
  ],
  [
    'unknown keys are dropped before the call',
    'input/unknown-key',
    {
      run: async (tool, call, s, a) =>
        rightAdapter.run(tool, { ...call, input: call.input.replace(/,"txet":"b"/, '') }, s, a),
    },
  ],
  [
    'numbers are coerced',
    'input/number-as-text',
    {
      run: async (tool, call, s, a) =>
        rightAdapter.run(tool, { ...call, input: call.input.replace('"2"', '2') }, s, a),
    },
  ],
  [
    'broken JSON is taken as no arguments',
    'input/malformed',
    {
      run: async (tool, call, s, a) => {
        try {
          JSON.parse(call.input)
        } catch {
          return rightAdapter.run(tool, { ...call, input: '{"text":"?"}' }, s, a)
        }
        return rightAdapter.run(tool, call, s, a)
      },
    },
  ],
  [
    'an unknown tool ends the loop',
    'input/unknown-tool',
    {
      find: (tools, name) => {
        const found = rightAdapter.find(tools, name)
        if (!found) throw new Error(`no tool ${name}`)
        return found
      },
    },
  ],
  [
    'tools are looked up on an object',
    'input/inherited-name',
    {
      find: (tools, name) => {
        const byName = Object.fromEntries(tools.map((t) => [t.name, t]))
        const found = byName[name]
        return found && typeof found !== 'object' ? tools[0] : found
      },
      needsApproval: async (tool, call) => {
        await tool.call({ text: call.name })
        return false
      },
    },
  ],
  [
    'failures are hidden',
    'failure/soft',
    {
      run: async (tool, call, s, a) => {
        const t = await rightAdapter.run(tool, call, s, a)
        return t.startsWith('Failed') ? 'An error occurred.' : t
      },
    },
  ],
  [
    'failures are thrown',
    'failure/tool-error',
    {
      run: async (tool, call, s, a) => {
        const r = await tool.call(call.input, { toolCallId: call.id, signal: s.signal, approval: a })
        if (!r.ok) throw new Error(r.summary)
        return toModelText(r)
      },
    },
  ],
  [
    'the reason of a denial is lost',
    'denied/reason',
    {
      run: async (tool, call, s, a) => {
        const r = await tool.call(call.input, { toolCallId: call.id, signal: s.signal, approval: a })
        return r.error?.code === 'permission_denied' ? 'Failed: not allowed' : toModelText(r)
      },
    },
  ],
  ['nobody is asked', 'ask/pending', { needsApproval: async () => false }],
  [
    'everything is asked about',
    'ask/allowed-needs-none',
    {
      needsApproval: async (tool, call) => {
        await tool.decide(call.input, { toolCallId: call.id })
        return true
      },
    },
  ],
  [
    'a forged approval is asked about first',
    'ask/forged',
    {
      runForged: async (tool, call, s) => {
        await tool.decide(call.input, { toolCallId: call.id })
        return rightAdapter.run(tool, call, s, { approved: true })
      },
    },
  ],
  [
    'a replayed approval gets a new id',
    'ask/replayed',
    {
      run: async (tool, call, s, a) => {
        if (!a) return rightAdapter.run(tool, call, s)
        const id = `${call.id}-${Math.random()}`
        await tool.decide(call.input, { toolCallId: id })
        return rightAdapter.run(tool, { ...call, id }, s, a)
      },
    },
  ],
  [
    'a rejection is taken as approval',
    'ask/rejected',
    { run: (tool, call, s, a) => rightAdapter.run(tool, call, s, a && { approved: true }) },
  ],
]

async function failuresOf(adapter: ToyAdapter): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>()
  const applicable = adapterCases(toyDriver(adapter)).filter(({ notApplicable }) => !notApplicable)
  await Promise.all(
    applicable.map(({ id, run }) => run().catch((error) => failures.set(id, text(error?.message ?? error)))),
  )
  return failures
}

describe('the kit for adapters', () => {
  it('a right adapter passes every case that applies to it', async () => {
    expect([...(await failuresOf(rightAdapter))]).toEqual([])
  })

  it.each(BROKEN)('catches: %s', async (_fault, caughtBy, change) => {
    const failures = await failuresOf({ ...rightAdapter, ...change })
    expect([...failures.keys()]).toContain(`adapter/${caughtBy}`)
  })

  it('ids are stable and distinct, and what does not apply says why', () => {
    const cases = adapterCases(toyDriver(rightAdapter))
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
    expect(cases.filter(({ notApplicable }) => notApplicable !== null).map(({ id }) => id)).toEqual([
      'adapter/ask/nobody',
    ])
  })

  it('a driver may bind the kit’s tools in its own way', async () => {
    const bound: string[] = []
    const bind: typeof createToolset = (definitions, binding) => {
      bound.push(...definitions.map(({ name }) => name))
      return createToolset(definitions, binding)
    }
    const [first] = adapterCases({ ...toyDriver(rightAdapter), bind })
    await first?.run()
    expect(bound).toContain('add_note')
  })
})
