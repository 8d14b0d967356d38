import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BadLine,
  createRunLog,
  findInterrupted,
  KgentError,
  readEvents,
  readRecords,
  verifyRun,
} from '@kgent/logging'
import { describe, expect, it } from 'vitest'
import { draft, folder, writeCall } from './fixture.ts'

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('readRecords and readEvents', () => {
  it('stream the lines of a run in order', async () => {
    const dir = folder()
    const log = createRunLog({ dir, runId: 'run-1' })
    for (let n = 0; n < 500; n += 1) writeCall(log, { callId: `call-${n}`, summary: 'ä'.repeat(n) })
    await log.close()
    const records = await collect(readRecords(dir))
    expect(records.map(({ callId }) => callId)).toEqual(Array.from({ length: 500 }, (_, n) => `call-${n}`))
    expect(records[499]?.summary).toBe('ä'.repeat(499))
    expect(await collect(readEvents(dir))).toHaveLength(1_000)
  })

  it('report bad lines and go on behind them', async () => {
    const dir = folder()
    const log = createRunLog({ dir, runId: 'run-1' })
    log.logger.record(draft({ callId: 'a' }))
    await log.close()
    appendFileSync(
      join(dir, 'logs', 'tools.jsonl'),
      `not json\n[1]\n${'x'.repeat(3_000_000)}\n{"v":1,"callId":"b"}\n{"v":`,
    )
    const bad: BadLine[] = []
    const records = await collect(readRecords(dir, { onBadLine: (line) => bad.push(line) }))
    expect(records.map(({ callId }) => callId)).toEqual(['a', 'b'])
    expect(bad.map(({ line, isLast }) => [line, isLast])).toEqual([
      [2, false],
      [3, false],
      [4, false],
      [6, true],
    ])
  })

  it('can be left early', async () => {
    const dir = folder()
    const log = createRunLog({ dir, runId: 'run-1' })
    for (let n = 0; n < 100; n += 1) writeCall(log)
    await log.close()
    for await (const { seq } of readEvents(dir)) if (seq === 3) break
    expect(await collect(readRecords(dir))).toHaveLength(100)
  })

  it('refuse a folder without a log', async () => {
    await expect(collect(readRecords(folder()))).rejects.toThrow(KgentError)
  })
})

describe('findInterrupted', () => {
  it('gives the record and the end of each call that was left open', async () => {
    const dir = folder()
    const input = { sha256: 'c'.repeat(64), bytes: 9, shape: { path: 'string(3)' } }
    const log = createRunLog({ dir, runId: 'run-1' })
    writeCall(log, { callId: 'whole' })
    log.events.record({
      type: 'tool.call.start',
      callId: 'lost',
      data: { tool: 'write_file', toolCallId: 't1', attempt: 2, input },
    })
    log.events.record({
      type: 'tool.call.start',
      callId: 'recorded',
      data: { tool: 'read_file', attempt: 1, input },
    })
    log.logger.record(draft({ callId: 'recorded', status: 'ok' }))
    await log.close()

    const found = await findInterrupted(dir)
    expect(found).toMatchObject([
      {
        callId: 'lost',
        record: {
          callId: 'lost',
          tool: 'write_file',
          toolCallId: 't1',
          attempt: 2,
          status: 'interrupted',
          input,
          error: { code: 'interrupted' },
        },
        event: {
          type: 'tool.call.end',
          callId: 'lost',
          data: { status: 'interrupted', errorCode: 'interrupted' },
        },
      },
      { callId: 'recorded', record: null, event: { type: 'tool.call.end', data: { status: 'ok' } } },
    ])

    const next = createRunLog({ dir, runId: 'run-1' })
    for (const { record, event } of found) {
      if (record) next.logger.record(record)
      next.events.record(event)
    }
    await next.close()
    expect(await findInterrupted(dir)).toEqual([])
    expect(await verifyRun(dir)).toMatchObject({ ok: true, calls: { recorded: 3, interrupted: [] } })
  })
})
