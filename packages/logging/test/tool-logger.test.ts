import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createToolLogger, type ToolCallDraft } from '@kgent/logging'
import { describe, expect, it } from 'vitest'
import { draft, folder, linesOf, read } from './fixture.ts'

function open(dir: string) {
  return createToolLogger({
    file: join(dir, 'tools.jsonl'),
    errorsFile: join(dir, 'errors.jsonl'),
    runId: 'r',
  })
}

describe('createToolLogger', () => {
  it('a record contains duration, status, summary', async () => {
    const dir = folder()
    const logger = open(dir)
    logger.record(draft({ status: 'denied', durationMs: 12.25, summary: 'Denied by the policy.' }))
    await logger.close()
    expect(linesOf(dir, 'tools.jsonl')).toMatchObject([
      { v: 1, seq: 1, durationMs: 12.25, status: 'denied', summary: 'Denied by the policy.', prev: null },
    ])
  })

  it('chains each line to the bytes of the one before, over reopening', async () => {
    const dir = folder()
    for (const callId of ['a', 'b', 'c']) {
      const logger = open(dir)
      logger.record(draft({ callId }))
      await logger.close()
    }
    const lines = read(dir, 'tools.jsonl').trimEnd().split('\n')
    const records = lines.map((line) => JSON.parse(line))
    expect(records.map(({ seq }) => seq)).toEqual([1, 2, 3])
    const hashes = lines.map((line) => createHash('sha256').update(line).digest('hex'))
    expect(records.map(({ prev }) => prev)).toEqual([null, hashes[0], hashes[1]])
    const last = open(dir)
    expect(last.head).toBe(hashes[2])
    expect(last.opened.tools).toEqual({ seq: 3, head: hashes[2], torn: null })
    await last.close()
  })

  it('a rejection writes an error log, with time, run and reference', async () => {
    const dir = folder()
    const logger = open(dir)
    logger.recordError({ callId: 'c', tool: 'write_file', code: 'permission_denied', message: 'No.' })
    logger.recordError({
      callId: 'd',
      tool: 'x',
      code: 'internal',
      message: 'x failed',
      reference: 'abcd1234',
      thrown: 'Error: with Bearer AAAA1111\n    at file.js:1:1',
    })
    await logger.flush()
    expect(linesOf(dir, 'errors.jsonl')).toMatchObject([
      { v: 1, seq: 1, runId: 'r', callId: 'c', code: 'permission_denied', prev: null },
      { seq: 2, reference: 'abcd1234', thrown: 'Error: with Bearer [redacted]\n    at file.js:1:1' },
    ])
    await logger.close()
  })

  it('writes the fields of a record and nothing that a draft holds besides', async () => {
    const dir = folder()
    const logger = open(dir)
    logger.record({ ...draft(), content: 'file content', seq: 99 } as ToolCallDraft)
    await logger.close()
    expect(read(dir, 'tools.jsonl')).not.toContain('file content')
    expect(linesOf(dir, 'tools.jsonl')[0]?.seq).toBe(1)
  })

  it('newlines and escapes cannot forge a line', async () => {
    const dir = folder()
    const logger = open(dir)
    const forged = '"}\n{"v":1,"seq":2,"status":"ok"}\r\n\u2028{"x":1}\u0085\u001b[2Jgone\u202e'
    logger.record(draft({ summary: forged, toolCallId: forged }))
    logger.recordError({ callId: null, tool: forged, code: 'internal', message: forged })
    await logger.close()
    for (const file of ['tools.jsonl', 'errors.jsonl']) {
      expect(read(dir, file).split(/[\n\r\u0085\u2028\u2029\u000b\u000c]/)).toHaveLength(2)
      expect(read(dir, file)).not.toMatch(/[\u001b\u202e]/)
    }
    expect(linesOf(dir, 'tools.jsonl')[0]?.summary).toBe(forged)
  })

  it('lone surrogates, BigInt, cycles and throwing getters cannot break a line', async () => {
    const dir = folder()
    const logger = open(dir)
    const cycle: Record<string, unknown> = { name: 'loop' }
    cycle.self = cycle
    const hostile: unknown[] = [
      { half: '\ud800' },
      { big: 10n },
      cycle,
      {
        get bad() {
          throw new Error('no')
        },
      },
      {
        toJSON() {
          throw new Error('no')
        },
      },
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('no')
          },
        },
      ),
      Array.from({ length: 20_000 }).reduce((inner) => [inner], 'deep'),
      Symbol('s'),
      () => 1,
      undefined,
    ]
    for (const shape of hostile)
      logger.record(draft({ input: { sha256: 'a'.repeat(64), bytes: 1, shape: shape as never } }))
    logger.record(null as never)
    logger.record(draft({ callId: 'last' }))
    await logger.flush()
    const lines = linesOf(dir, 'tools.jsonl')
    expect(lines).toHaveLength(hostile.length + 1)
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1))
    expect(lines[1]?.input.shape).toEqual({ big: '10' })
    expect(lines[2]?.input.shape).toEqual({ name: 'loop', self: '[cycle]' })
    expect(lines[3]?.input.shape).toEqual({ bad: '[unreadable]' })
    expect(lines.at(-1)?.callId).toBe('last')
    await logger.close()
  })

  it('bounds a line to 16 KiB, cut with a mark and still whole JSON', async () => {
    const dir = folder()
    const logger = open(dir)
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`field ${n}`, `string(${n})`]))
    const { decisions } = draft()
    const many = Array.from({ length: 2_000 }, () => decisions[0]).filter(
      (decision) => decision !== undefined,
    )
    const nasty = '\u0001'.repeat(5_000)
    logger.record(draft({ input: { sha256: 'b'.repeat(64), bytes: 1, shape: wide } }))
    logger.record(draft({ decisions: many }))
    logger.record(
      draft({
        toolCallId: nasty,
        tool: nasty,
        summary: nasty,
        decisions: many
          .slice(0, 200)
          .map((decision) => ({ ...decision, reason: nasty, resource: nasty, rule: nasty })),
        input: { sha256: 'b'.repeat(64), bytes: 1, shape: { [nasty]: nasty, wide } },
        error: {
          code: 'tool_failed',
          message: nasty,
          hint: nasty,
          retryable: false,
          details: { wide, nasty },
        },
      }),
    )
    logger.record(draft({ summary: '漢'.repeat(9_000) }))
    await logger.close()
    const text = read(dir, 'tools.jsonl').trimEnd().split('\n')
    for (const line of text) expect(Buffer.byteLength(line)).toBeLessThan(16 * 1024)
    const records = linesOf(dir, 'tools.jsonl')
    expect(records).toHaveLength(4)
    for (const record of records)
      expect(record).toMatchObject({ cut: expect.any(Number), runId: 'run-1', callId: 'call-1' })
    expect(records[0]?.input).toMatchObject({
      sha256: 'b'.repeat(64),
      shape: { '…': expect.stringContaining('more') },
    })
    expect(records[1]?.decisions.length).toBeGreaterThan(5)
  })

  it('never throws after close, and says that lines were lost', async () => {
    const dir = folder()
    const logger = open(dir)
    await logger.close()
    expect(logger.failure).toBeNull()
    logger.record(draft())
    await logger.flush()
    expect(logger.failure).toMatchObject({ code: 'log_unavailable' })
  })
})
