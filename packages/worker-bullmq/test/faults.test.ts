import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildProgram } from '../faults/build-program.mjs'
import { faultRun } from '../faults/fault-run.ts'
import { hasRedis, needsRedis } from './redis-server.ts'

// The short form of `faults/run.mjs`, which makes 3,000 calls.
describe.skipIf(!hasRedis)(`faults${needsRedis}`, () => {
  let program: { file: string; dir: string }
  beforeAll(async () => {
    program = await buildProgram('worker.ts')
  })
  afterAll(() => program && rmSync(program.dir, { recursive: true, force: true }))

  it('lose no acknowledged call and run no write twice, whoever dies, stops or is away', async () => {
    const report = await faultRun({ calls: 400, workers: 3, rounds: 1, workerFile: program.file })
    expect(report).toMatchObject({ calls: 400, lost: [], twice: [], odd: [] })
    expect(report.faults).toEqual({ sigkill: 1, sigstop: 1, redisRestart: 1, connectionsCut: 1 })
    expect(report.byStatus.ok).toBeGreaterThan(350)
  }, 60_000)
})
