import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRunLog, type RunEvent, verifyRun } from '@kgent/logging'
import { describe, expect, it } from 'vitest'
import { draft, folder, linesOf, writeCall } from './fixture.ts'

describe('createRunLog', () => {
  it('writes the three files of a run and gives back their last hashes', async () => {
    const dir = folder()
    const log = createRunLog({ dir, runId: 'run-1' })
    log.events.record({ type: 'run.start' })
    writeCall(log)
    log.events.record({ type: 'run.end', data: { status: 'completed' } })
    const { heads, failure } = await log.close()
    expect(failure).toBeNull()
    expect(heads).toEqual(log.heads())
    const events = linesOf(dir, 'events.jsonl')
    expect(events.map(({ type }) => type)).toEqual([
      'run.start',
      'tool.call.start',
      'tool.call.end',
      'run.end',
    ])
    expect(events.at(-1)?.data).toEqual({ status: 'completed', lastHash: { tools: heads.tools } })
    expect(events.every(({ at, runId }) => /^\d{4}-.*\.\d{3}Z$/.test(at) && runId === 'run-1')).toBe(true)
    expect(linesOf(dir, 'logs', 'errors.jsonl')).toEqual([])
  })

  it('a rejection writes an event and an error log', async () => {
    const dir = folder()
    const log = createRunLog({ dir, runId: 'run-1' })
    log.events.record({
      type: 'tool.call.denied',
      callId: 'c',
      data: { rule: 'config.permissions.rules[0]' },
    })
    log.logger.recordError({ callId: 'c', tool: 'write_file', code: 'permission_denied', message: 'No.' })
    await log.close()
    expect(linesOf(dir, 'events.jsonl')).toMatchObject([{ type: 'tool.call.denied', callId: 'c' }])
    expect(linesOf(dir, 'logs', 'errors.jsonl')).toMatchObject([{ callId: 'c', code: 'permission_denied' }])
  })

  it('keeps a total order under 1,000 parallel calls, each with one start, one record and one end', async () => {
    const dir = folder()
    const log = createRunLog({ dir, runId: 'run-1' })
    const call = async (n: number) => {
      const callId = `call-${n}`
      log.events.record({ type: 'tool.call.start', callId })
      await new Promise((resolve) =>
        n % 3 === 0 ? setImmediate(resolve) : queueMicrotask(() => resolve(null)),
      )
      log.logger.record(draft({ callId, attempt: (n % 4) + 1 }))
      log.events.record({ type: 'tool.call.end', callId })
      await Promise.all([log.logger.flush(), log.events.flush()])
    }
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => call(n)))
    await log.close()
    const records = linesOf(dir, 'logs', 'tools.jsonl')
    expect(records.map(({ seq }) => seq)).toEqual(Array.from({ length: 1_000 }, (_, n) => n + 1))
    expect(linesOf(dir, 'events.jsonl')).toHaveLength(2_000)
    expect(await verifyRun(dir)).toMatchObject({
      ok: true,
      calls: { recorded: 1_000, interrupted: [], surplus: [] },
    })
  })

  it('log-07: attempts are numbered, and two ends for one start look different from two calls', async () => {
    const dir = folder()
    const log = createRunLog({ dir, runId: 'run-1' })
    writeCall(log, { callId: 'a', toolCallId: 't1', attempt: 1 })
    writeCall(log, { callId: 'b', toolCallId: 't1', attempt: 2, replayOf: 'a' })
    await log.logger.flush()
    expect(linesOf(dir, 'logs', 'tools.jsonl')).toMatchObject([{ attempt: 1 }, { attempt: 2, replayOf: 'a' }])
    await log.events.flush()
    expect((await verifyRun(dir)).ok).toBe(true)
    log.events.record({ type: 'tool.call.end', callId: 'a' })
    await log.close()
    expect(await verifyRun(dir)).toMatchObject({ ok: false, calls: { surplus: ['a'] } })
  })

  it('says as an event and as a remark that a crash had torn a line, once', async () => {
    const dir = folder()
    const first = createRunLog({ dir, runId: 'run-1' })
    writeCall(first, { callId: 'a' })
    await first.close()
    appendFileSync(join(dir, 'logs', 'tools.jsonl'), '{"v":1,"seq":2,"runId":"run-1","summ')
    const second = createRunLog({ dir, runId: 'run-1' })
    expect(second.opened.tools).toMatchObject({ seq: 1, torn: { bytes: 36 } })
    expect(second.opened.remarks).toEqual([expect.stringContaining('logs/tools.jsonl ended in a torn line')])
    writeCall(second, { callId: 'b' })
    await second.close()
    const third = createRunLog({ dir, runId: 'run-1' })
    expect(third.opened.remarks).toEqual([])
    await third.close()
    const told = linesOf(dir, 'events.jsonl').filter(({ type }) => type === 'log.error')
    expect(told).toMatchObject([{ data: { file: 'logs/tools.jsonl', problem: 'torn_line', bytes: 36 } }])
    const { ok, files } = await verifyRun(dir)
    expect(ok).toBe(true)
    expect(files[0]).toMatchObject({ torn: [2], seq: 2, lines: 3 })
  })

  it('tells listeners that files cannot be written, even the one of the events, and close says so', async () => {
    const dir = folder()
    const log = createRunLog({ dir, runId: 'run-1', required: true })
    const seen: RunEvent[] = []
    log.events.subscribe((event) => seen.push(event))
    expect(log.logger.required).toBe(true)
    rmSync(dir, { recursive: true })
    writeCall(log)
    await Promise.all([log.logger.flush(), log.events.flush()])
    expect(log.logger.failure).toMatchObject({ code: 'log_unavailable' })
    writeCall(log, { callId: 'call-2' })
    const { failure } = await log.close()
    expect(failure).toMatchObject({ code: 'log_unavailable', details: { errno: 'ENOENT' } })
    const told = seen.filter(({ type }) => type === 'log.error').map(({ data }) => data.file)
    expect(told.sort()).toEqual(['events.jsonl', 'logs/errors.jsonl', 'logs/tools.jsonl'])
    expect(seen.filter(({ type }) => type === 'tool.call.end')).toHaveLength(2)
    expect(JSON.stringify(seen)).not.toContain(dir)
  })

  it('gives each listener what the line says, and survives one that throws', async () => {
    const dir = folder()
    const log = createRunLog({ dir, runId: 'run-1' })
    const seen: RunEvent[] = []
    log.events.subscribe((event) => {
      event.data.changed = true
      throw new Error('not my problem')
    })
    const stop = log.events.subscribe((event) => seen.push(event))
    log.events.record({ type: 'tool.call.progress', callId: 'c', data: { message: 'with Bearer AAAA1111' } })
    stop()
    log.events.record({ type: 'run.end' })
    await log.close()
    expect(seen).toEqual(linesOf(dir, 'events.jsonl').slice(0, 1))
    expect(seen[0]?.data).toEqual({ message: 'with Bearer [redacted]' })
  })

  it('refuses an empty key, which would chain nothing', () => {
    expect(() => createRunLog({ dir: folder(), runId: 'r', hmacKey: '' })).toThrow(
      'hmacKey of the log is empty',
    )
  })

  it('refuses a place where no folder can be made', () => {
    const dir = folder()
    writeFileSync(join(dir, 'run'), 'a file')
    expect(() => createRunLog({ dir: join(dir, 'run'), runId: 'r' })).toThrow(
      'events.jsonl cannot be opened (EEXIST)',
    )
    mkdirSync(join(dir, 'other', 'events.jsonl'), { recursive: true })
    expect(() => createRunLog({ dir: join(dir, 'other'), runId: 'r' })).toThrow('events.jsonl')
  })
})
