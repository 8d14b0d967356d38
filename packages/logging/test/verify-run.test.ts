import { createHash } from 'node:crypto'
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRunLog, KgentError, type ProblemKind, verifyRun } from '@kgent/logging'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folder, linesOf, read, writeCall, writeHeads } from './fixture.ts'

const CALLS = 6

async function finishedRun(options: { hmacKey?: string } = {}) {
  const dir = folder()
  const log = createRunLog({ dir, runId: 'run-1', ...options })
  log.events.record({ type: 'run.start' })
  for (let n = 1; n <= CALLS; n += 1) writeCall(log, { callId: `call-${n}` })
  log.events.record({ type: 'run.end' })
  writeHeads(dir, (await log.close()).heads)
  return dir
}

function changeLines(dir: string, change: (lines: string[]) => string[], file = 'logs/tools.jsonl'): void {
  const lines = read(dir, file).trimEnd().split('\n')
  writeFileSync(
    join(dir, file),
    change(lines)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

type Change = (lines: string[]) => string[]

const edited =
  (number: number, edit: (line: string) => string): Change =>
  (lines) =>
    lines.map((line, index) => (index + 1 === number ? edit(line) : line))
const changed = (number: number): Change => edited(number, (line) => line.replace('"ok"', '"denied"'))
const order =
  (...numbers: number[]): Change =>
  (lines) =>
    numbers.flatMap((number) => lines.slice(number - 1, number))

function lastHash(dir: string, file: string): string {
  const last = read(dir, file).trimEnd().split('\n').at(-1) ?? ''
  return createHash('sha256').update(last).digest('hex')
}

/** What a forger does who knows the format: every `prev` is made to fit. */
function rechain(lines: string[]): string[] {
  let prev: string | null = null
  return lines.map((line, index) => {
    const forged = JSON.stringify({ ...JSON.parse(line), seq: index + 1, prev })
    prev = createHash('sha256').update(forged).digest('hex')
    return forged
  })
}

describe('verifyRun', () => {
  it('finds nothing in a run that nobody touched', async () => {
    const dir = await finishedRun()
    const found = await verifyRun(dir)
    expect(found).toMatchObject({ ok: true, problems: [], endsRecorded: true, calls: { recorded: CALLS } })
    expect(found.files.map(({ file, lines }) => [file, lines])).toEqual([
      ['logs/tools.jsonl', CALLS],
      ['events.jsonl', CALLS * 2 + 2],
      ['logs/errors.jsonl', 0],
    ])
  })

  const tampering: [string, Change, ProblemKind, number][] = [
    ['a changed first line', changed(1), 'changed', 1],
    ['a changed line', changed(3), 'changed', 3],
    ['a changed last but one line', changed(5), 'changed', 5],
    ['two changed lines', (lines) => changed(4)(changed(2)(lines)), 'changed', 2],
    ['a changed hash', edited(4, (line) => line.replace(/"prev":"./, '"prev":"x')), 'changed', 4],
    ['a changed number', edited(4, (line) => line.replace('"seq":4', '"seq":7')), 'changed', 4],
    ['an added space', edited(2, (line) => line.replace('{', '{ ')), 'changed', 2],
    ['a line that is gone', order(1, 2, 4, 5, 6), 'missing', 3],
    ['lines that are gone', order(1, 5, 6), 'missing', 2],
    ['first lines that are gone', order(3, 4, 5, 6), 'missing', 1],
    ['two lines swapped', order(1, 2, 4, 3, 5, 6), 'reordered', 3],
    ['a line moved to the front', order(5, 1, 2, 3, 4, 6), 'reordered', 1],
    ['a line cut short', edited(3, (line) => line.slice(0, 80)), 'cut', 3],
    ['a last line that is gone', order(1, 2, 3, 4, 5), 'cut', 5],
    ['a changed last line', changed(6), 'cut', 6],
    ['a last line cut short', edited(6, (line) => line.slice(0, 80)), 'cut', 6],
    ['everything gone', () => [], 'cut', 1],
    ['a line said twice', order(1, 2, 3, 3, 4, 5, 6), 'added', 4],
    ['a line added behind the end', (lines) => [...lines, '{"v":1}'], 'added', 7],
    ['a file chained anew', (lines) => rechain(changed(2)(lines)), 'cut', 6],
  ]
  for (const [what, change, kind, line] of tampering) {
    it(`names ${what}`, async () => {
      const dir = await finishedRun()
      changeLines(dir, change)
      const { ok, problems } = await verifyRun(dir)
      expect(ok).toBe(false)
      expect(problems[0]).toMatchObject({ file: 'logs/tools.jsonl', kind, line })
    })
  }

  it('names the first line that is wrong in each file, events and errors too', async () => {
    const dir = await finishedRun()
    changeLines(dir, order(1, 3, 4, 5, 6))
    changeLines(
      dir,
      edited(5, (line) => `${line}x`),
      'events.jsonl',
    )
    const { problems } = await verifyRun(dir)
    expect(problems.slice(0, 2)).toMatchObject([
      { file: 'logs/tools.jsonl', kind: 'missing' },
      { file: 'events.jsonl', line: 5, kind: 'cut' },
    ])
  })

  it('a changed byte anywhere is noticed', async () => {
    const dir = await finishedRun()
    const file = join(dir, 'logs', 'tools.jsonl')
    const bytes = readFileSync(file)
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ flip
        writeFileSync(file, changed)
        expect((await verifyRun(dir)).ok).toBe(false)
      }),
      { numRuns: 200 },
    )
  })

  it('a file cut off anywhere is noticed', async () => {
    const dir = await finishedRun()
    const file = join(dir, 'events.jsonl')
    const bytes = readFileSync(file)
    for (let length = bytes.length - 2; length >= 0; length -= 97) {
      truncateSync(file, length)
      expect((await verifyRun(dir)).ok).toBe(false)
    }
  })

  it('a file of errors that was cut off or extended is noticed', async () => {
    const dir = folder()
    const log = createRunLog({ dir, runId: 'run-1' })
    writeCall(log)
    for (const callId of ['a', 'b'])
      log.logger.recordError({ callId, tool: 'read_file', code: 'internal', message: 'm' })
    writeHeads(dir, (await log.close()).heads)
    expect((await verifyRun(dir)).ok).toBe(true)
    const file = join(dir, 'logs/errors.jsonl')
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, `${whole.split('\n')[0]}\n`)
    expect((await verifyRun(dir)).problems[0]).toMatchObject({ file: 'logs/errors.jsonl', kind: 'cut' })
    writeFileSync(file, whole)
    const later = createRunLog({ dir, runId: 'run-1' })
    later.logger.recordError({ callId: 'c', tool: 'read_file', code: 'internal', message: 'added' })
    await later.close()
    expect((await verifyRun(dir)).ok).toBe(false)
  })

  it('without a manifest, the last event still says where the records end', async () => {
    const dir = await finishedRun()
    rmSync(join(dir, 'run.json'))
    expect(await verifyRun(dir)).toMatchObject({ ok: true, endsRecorded: false })
    changeLines(dir, order(1, 2, 3, 4, 5))
    expect((await verifyRun(dir)).problems[0]).toMatchObject({ file: 'logs/tools.jsonl', kind: 'cut' })
  })

  it('a run that goes on is checked up to its end', async () => {
    const dir = await finishedRun()
    const log = createRunLog({ dir, runId: 'run-1' })
    writeHeads(dir, null)
    writeCall(log, { callId: 'call-7' })
    log.events.record({ type: 'tool.call.start', callId: 'call-8' })
    await log.close()
    expect(await verifyRun(dir)).toMatchObject({
      ok: true,
      endsRecorded: false,
      calls: { interrupted: ['call-8'] },
    })
  })

  it('names calls whose lines do not pair', async () => {
    const dir = folder()
    const log = createRunLog({ dir, runId: 'run-1' })
    log.events.record({ type: 'tool.call.start', callId: 'a' })
    log.events.record({ type: 'tool.call.end', callId: 'a' })
    writeCall(log, { callId: 'b' })
    log.events.record({ type: 'tool.call.end', callId: 'c' })
    await log.close()
    expect(await verifyRun(dir)).toMatchObject({
      ok: false,
      calls: { unrecorded: ['a'], surplus: ['c'], recorded: 1 },
    })
  })

  it('with an HMAC key, a chain that was written anew without it is noticed', async () => {
    const dir = await finishedRun({ hmacKey: 'secret key' })
    expect((await verifyRun(dir, { hmacKey: 'secret key' })).ok).toBe(true)
    expect((await verifyRun(dir)).problems[0]).toMatchObject({
      kind: 'key',
      message: expect.stringContaining('hmacKey'),
    })
    expect((await verifyRun(dir, { hmacKey: 'other key' })).ok).toBe(false)
    changeLines(dir, (lines) => rechain(changed(2)(lines)))
    const { lastHash: heads } = JSON.parse(read(dir, 'run.json'))
    writeHeads(dir, { ...heads, tools: lastHash(dir, 'logs/tools.jsonl') })
    expect((await verifyRun(dir, { hmacKey: 'secret key' })).problems[0]).toMatchObject({
      file: 'logs/tools.jsonl',
      kind: 'key',
    })
  })

  it('with an HMAC key, a cut end cannot be named anew with what stands in the lines', async () => {
    const dir = await finishedRun({ hmacKey: 'k' })
    const { lastHash: heads } = JSON.parse(read(dir, 'run.json'))
    const { prev } = JSON.parse(read(dir, 'logs/tools.jsonl').trimEnd().split('\n').at(-1) ?? '')
    const events = read(dir, 'events.jsonl').trimEnd().split('\n')
    // Cut off: the last call (record, start and end) and the end of the run.
    changeLines(dir, order(1, 2, 3, 4, 5))
    changeLines(dir, (lines) => lines.slice(0, -3), 'events.jsonl')
    writeHeads(dir, { tools: prev, events: JSON.parse(events.at(-3) ?? '').prev })
    expect((await verifyRun(dir, { hmacKey: 'k' })).problems).toMatchObject([
      { kind: 'cut' },
      { kind: 'cut' },
    ])
    writeHeads(dir, heads)
    expect((await verifyRun(dir, { hmacKey: 'k' })).ok).toBe(false)
    rmSync(join(dir, 'run.json'))
    expect(await verifyRun(dir, { hmacKey: 'k' })).toMatchObject({ ok: true, endsRecorded: false })
  })

  it('keeps the chain when a run is continued with the key', async () => {
    const dir = await finishedRun({ hmacKey: 'k' })
    const log = createRunLog({ dir, runId: 'run-1', hmacKey: 'k' })
    writeCall(log, { callId: 'later' })
    writeHeads(dir, (await log.close()).heads)
    expect((await verifyRun(dir, { hmacKey: 'k' })).ok).toBe(true)
    expect(linesOf(dir, 'logs/tools.jsonl').at(-1)?.prev).toMatch(/^hmac-sha256:[0-9a-f]{64}$/)
  })

  it('refuses a folder that holds no log', async () => {
    await expect(verifyRun(folder())).rejects.toThrow(KgentError)
  })
})
