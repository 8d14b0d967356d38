import { defineTool, okResult, toModelText } from '@kgent/tools-core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createFixture } from './fixture.ts'

function returning(data: unknown, summary = 'done') {
  return defineTool({
    name: 'gives',
    description: 'd',
    inputSchema: z.strictObject({}),
    permissions: [],
    handler: () => okResult(summary, data as object),
  })
}

describe('results', () => {
  it('values that JSON has no word for are replaced and named', async () => {
    const circular: Record<string, unknown> = {
      when: new Date(0),
      big: 10n,
      inf: Infinity,
      map: new Map([['a', 1]]),
      buf: new Uint8Array(3),
      fn: () => 1,
    }
    circular.self = circular
    const { tools } = createFixture({ tools: [returning(circular)] })
    const { data } = await tools.call('gives', {})
    expect(JSON.parse(JSON.stringify(data))).toEqual(data)
    expect(data).toMatchObject({
      when: '1970-01-01T00:00:00.000Z',
      big: '10',
      inf: null,
      map: { a: 1 },
      buf: '3 bytes',
      self: null,
    })
    expect(data?.$replaced).toEqual(
      expect.arrayContaining(['when (Date)', 'big (bigint)', 'self (circular)']),
    )
  })

  it('whatever a tool returns, what is given out survives JSON', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }),
        async (value) => {
          const { tools } = createFixture({
            tools: [returning({ value })],
            context: { limits: { maxInlineBytes: 1e6, callTimeoutMs: 5_000 } },
          })
          const result = await tools.call('gives', {})
          expect(JSON.parse(JSON.stringify(result))).toEqual(result)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('large outputs stay out of logs and events: they become an artifact', async () => {
    const secretish = 'needle '.repeat(2_000)
    const { tools, seen } = createFixture({ tools: [returning({ text: secretish })] })
    const result = await tools.call('gives', {})
    const [path] = result.artifacts
    expect(result.data).toMatchObject({ artifact: path, truncated: true })
    expect(JSON.parse(seen.artifacts.get(path as string) as string)).toEqual({ text: secretish })
    expect(JSON.stringify([seen.records, seen.events, seen.errors])).not.toContain('needle')
    expect(seen.records[0]?.artifacts).toHaveLength(1)
    expect(seen.events.map(({ type }) => type)).toContain('artifact.created')
  })

  it('a summary is one line of at most 200 characters', async () => {
    const { tools } = createFixture({ tools: [returning({}, `a\nb\u001b[31m${'x'.repeat(500)}`)] })
    const { summary } = await tools.call('gives', {})
    expect(summary).toMatch(/^a b\[31mx+…$/)
    expect(summary.length).toBeLessThanOrEqual(200)
  })

  it('the model reads a failure with its code, message and hint', async () => {
    const { tools } = createFixture()
    const text = toModelText(await tools.call('echo', { text: 1 }))
    expect(text).toMatch(/^Failed \(invalid_input\): .*text/)
    expect(text).toContain('Hint: ')
    expect(toModelText(await tools.call('echo', { text: 'hi' }))).toBe(
      'Echoed\n{"text":"hi","note":"absent"}',
    )
  })
})
