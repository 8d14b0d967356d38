import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createRunLog, RUN_EVENT_TYPES } from '@kgent/logging'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { draft, folder, linesOf, writeCall } from './fixture.ts'

const require = createRequire(import.meta.url)

function validator(name: string) {
  const schema = JSON.parse(
    readFileSync(require.resolve(`@kgent/logging/schemas/${name}.schema.json`), 'utf8'),
  )
  const validate = new Ajv2020({ allErrors: true }).compile(schema)
  return (line: unknown) => (validate(line) ? [] : validate.errors)
}

async function everyKindOfLine() {
  const dir = folder()
  const log = createRunLog({ dir, runId: 'run-1', hmacKey: 'k' })
  for (const type of RUN_EVENT_TYPES) log.events.record({ type, callId: 'c' })
  log.events.record({ type: 'run.start' })
  writeCall(log, {
    replayOf: 'call-0',
    artifacts: [{ path: 'artifacts/a.json', bytes: 1, sha256: 'a'.repeat(64) }],
  })
  writeCall(log, {
    status: 'denied',
    error: { code: 'permission_denied', message: 'No.', retryable: false, details: { rule: 'r' } },
  })
  const [decision] = draft().decisions
  const nasty = '\u0001\u2028'.repeat(5_000)
  log.logger.record(
    draft({
      summary: nasty,
      decisions: Array.from({ length: 500 }, () => decision).flatMap((one) =>
        one ? [{ ...one, resource: nasty }] : [],
      ),
      error: {
        code: 'tool_failed',
        message: nasty,
        hint: nasty,
        retryable: false,
        details: { deep: { er: [nasty] } },
      },
    }),
  )
  log.logger.recordError({
    callId: null,
    tool: null,
    code: 'internal',
    message: nasty,
    reference: 'r',
    thrown: nasty,
  })
  await log.close()
  return dir
}

describe('the published JSON Schemas', () => {
  it('fit every kind of line, cut ones too', async () => {
    const dir = await everyKindOfLine()
    const files = [
      ['tool-call-record', 'logs/tools.jsonl', 3],
      ['run-event', 'events.jsonl', RUN_EVENT_TYPES.length + 5],
      ['error-entry', 'logs/errors.jsonl', 1],
    ] as const
    for (const [name, file, count] of files) {
      const check = validator(name)
      const lines = linesOf(dir, file)
      expect(lines).toHaveLength(count)
      for (const line of lines) expect(check(line)).toEqual([])
    }
  })

  it('refuse what is no line of ours', () => {
    const check = validator('tool-call-record')
    const record = { v: 1, seq: 1, ...draft(), prev: null }
    expect(check(record)).toEqual([])
    for (const wrong of [
      { ...record, seq: 0 },
      { ...record, status: 'fine' },
      { ...record, content: 'text' },
      { ...record, startedAt: '1 Dec 2026' },
      { ...record, prev: 'none' },
    ]) {
      expect(check(wrong)).not.toEqual([])
    }
    const event = {
      v: 1,
      seq: 1,
      at: '2026-12-01T10:00:00.000Z',
      runId: 'r',
      type: 'run.start',
      data: {},
      prev: null,
    }
    expect(validator('run-event')(event)).toEqual([])
    expect(validator('run-event')({ ...event, type: 'tool.call.end' })).not.toEqual([])
  })
})
