import { createRunLog, findInterrupted, readEvents, readRecords, verifyRun } from '@kgent/logging'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folder } from './fixture.ts'
import { buildChild, startChild } from './run-child.ts'

/** `KGENT_KILLS=200` for the long form. */
const KILLS = Number(process.env.KGENT_KILLS ?? 20)
const LAST_KILL_AT = 600

let program: Awaited<ReturnType<typeof buildChild>>
beforeAll(async () => {
  program = await buildChild(new URL('./children/caller.ts', import.meta.url))
})
afterAll(() => program.remove())

/** Lets a process make calls in the run's folder, kills it in the middle, and returns the calls that it acknowledged. */
async function killedPart(dir: string, part: number): Promise<string[]> {
  const { child, ended, says } = startChild(program.file, {
    args: [dir, `p${part}`, part % 5 === 0 ? 'disk' : 'os'],
  })
  // Each kill comes at another moment of the work.
  await says(`p${part}-${1 + ((part * 37) % LAST_KILL_AT)}\n`)
  child.kill('SIGKILL')
  const { output, signal } = await ended
  expect(signal).toBe('SIGKILL')
  return output.split('\n').slice(0, -1)
}

async function continueRun(dir: string): Promise<number> {
  const interrupted = await findInterrupted(dir)
  const log = createRunLog({ dir, runId: 'run-1' })
  for (const { record, event } of interrupted) {
    if (record) log.logger.record(record)
    log.events.record(event)
  }
  expect((await log.close()).failure).toBeNull()
  return interrupted.length
}

describe('SIGKILL under parallel calls', () => {
  it(`loses no acknowledged call in ${KILLS} kills, and tears no line but a last one`, async () => {
    const dir = folder()
    const acknowledged: string[] = []
    let interrupted = 0
    for (let part = 1; part <= KILLS; part += 1) {
      acknowledged.push(...(await killedPart(dir, part)))
      interrupted += await continueRun(dir)
    }
    const recorded = new Set<string>()
    const ended = new Set<string>()
    for await (const { callId } of readRecords(dir)) recorded.add(callId)
    for await (const { type, callId } of readEvents(dir))
      if (type === 'tool.call.end') ended.add(callId ?? '')
    expect(acknowledged.length).toBeGreaterThan(KILLS)
    expect(acknowledged.filter((callId) => !recorded.has(callId) || !ended.has(callId))).toEqual([])
    const { ok, problems, files, calls } = await verifyRun(dir)
    expect({ ok, problems }).toEqual({ ok: true, problems: [] })
    expect(calls.interrupted).toEqual([])
    for (const { torn } of files) expect(torn.length).toBeLessThanOrEqual(KILLS)
    console.info(`${KILLS} kills: ${acknowledged.length} acknowledged, ${interrupted} interrupted calls`)
  }, 600_000)
})
