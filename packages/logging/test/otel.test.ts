import type { ToolCallDraft, ToolLogger } from '@kgent/logging'
import { createOtelToolLogger } from '@kgent/logging/otel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draft } from './fixture.ts'
import { buildChild, startChild } from './run-child.ts'

// Values of the API's enums.
const INTERNAL = 0
const UNSET = 0
const ERROR = 2

let program: Awaited<ReturnType<typeof buildChild>>
beforeAll(async () => {
  program = await buildChild(new URL('./children/spans.ts', import.meta.url))
})
afterAll(() => program.remove())

/** The spans that the real SDK got, in a process as a user would start it. */
async function spansOf(...records: ToolCallDraft[]) {
  const { output } = await startChild(program.file, { args: [JSON.stringify(records)] }).ended
  return JSON.parse(output)
}

describe('recordToSpan', () => {
  it('makes one INTERNAL span of a finished record, with the names of the conventions', async () => {
    const { spans } = await spansOf(draft({ toolCallId: 'tc-1', durationMs: 250 }))
    expect(spans).toEqual([
      {
        name: 'execute_tool read_file',
        kind: INTERNAL,
        startTime: [Date.parse('2026-12-01T10:00:00.000Z') / 1000, 0],
        duration: [0, 250_000_000],
        status: { code: UNSET },
        events: [],
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'read_file',
          'gen_ai.tool.call.id': 'tc-1',
          'gen_ai.tool.type': 'function',
          'kgent.run.id': 'run-1',
          'kgent.call.id': 'call-1',
          'kgent.call.attempt': 1,
          'kgent.call.status': 'ok',
          'kgent.input.bytes': 20,
          'kgent.input.sha256': 'a'.repeat(64),
          'kgent.output.bytes': 120,
          'kgent.output.sha256': 'a'.repeat(64),
          'kgent.artifacts.count': 0,
          'kgent.decision': 'allow',
          'kgent.decision.permission': 'filesystemRead',
          'kgent.decision.layer': 'runtime',
          'kgent.decision.rule': 'runtime.read',
        },
      },
    ])
  })

  it('makes one of a denied call too, as an error, and holds no content, summary or message', async () => {
    const text = 'CONTENT-42'
    const error = {
      code: 'permission_denied' as const,
      message: text,
      hint: text,
      retryable: false,
      details: { text },
    }
    const input = { sha256: 'a'.repeat(64), bytes: 1, shape: { [text]: text } }
    const { spans } = await spansOf(draft({ status: 'denied', summary: text, error, input }))
    expect(spans[0].status).toEqual({ code: ERROR, message: 'permission_denied' })
    expect(spans[0].attributes['error.type']).toBe('permission_denied')
    expect(JSON.stringify(spans)).not.toContain(text)
  })
})

describe('createOtelToolLogger', () => {
  it('records as before and makes a span of each record', async () => {
    const timedOut = draft({ callId: 'b', status: 'timeout', error: null })
    const { spans, kept } = await spansOf(draft(), draft({ callId: 'a' }), timedOut)
    expect(kept).toBe(2)
    expect(
      spans.map(({ attributes }: { attributes: Record<string, unknown> }) => attributes['error.type']),
    ).toEqual([undefined, undefined, 'timeout'])
  })

  it('a tracer that throws harms no call, and the rest is the inner logger’s', async () => {
    const records: unknown[] = []
    const inner: ToolLogger = {
      required: true,
      failure: null,
      record: (record) => void records.push(record),
      recordError: (entry) => void records.push(entry),
      flush: async () => void records.push('flushed'),
    }
    const tracer = {
      startSpan: () => {
        throw new Error('no exporter')
      },
    } as never
    const traced = createOtelToolLogger(inner, { tracer })
    traced.record(draft())
    traced.recordError({ callId: 'b', tool: 't', code: 'timeout', message: 'Too slow.' })
    await traced.flush()
    expect(records).toHaveLength(3)
    expect(traced).toMatchObject({ required: true, failure: null })
  })
})
