import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyRun } from '@kgent/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  hasRedis,
  needsRedis,
  type RedisServer,
  startRedis,
} from '../../../packages/worker-bullmq/test/redis-server.ts'
import { folder, kgent } from './fixture.ts'

describe.skipIf(!hasRedis)(`kgent worker${needsRedis}`, () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())

  it('does the file work of a run whose agent is elsewhere, and drains when it is told to go', async () => {
    const input = folder({ 'src/a.ts': 'const a = 1\n// FIXME: rounding\n' })
    const runs = folder()
    const go = new AbortController()
    const flags = ['--connection', redis.url, '--queues', 'read,write', '--runs', runs, '--input', input]
    const worker = kgent(['worker', ...flags], { interrupted: go.signal })
    const ended = await kgent(['run', '--json', '--runs', runs, '--input', input, '--workers', redis.url])
    go.abort()
    const { out, code } = await worker
    const summary = ended.json()
    expect(summary).toMatchObject({ status: 'completed', failure: null })
    expect(readFileSync(summary.report, 'utf8')).toContain('FIXME: `// FIXME: rounding`')
    expect(await verifyRun(summary.dir)).toMatchObject({ ok: true })
    const [name = ''] = readdirSync(join(runs, '.workers'))
    expect(summary.workers.calls[name]).toBeGreaterThan(2)
    expect(summary.workers.queues).toMatchObject([
      { queue: 'read', waiting: 0, active: 0, workers: [{ worker: name }] },
      { queue: 'write' },
    ])
    expect(code).toBe(0)
    expect(out.trim().split('\n').at(-1)).toMatch(/ closed queues read,write running 0 answered [1-9]/)
  })

  it('does nothing that its own config does not grant', async () => {
    const input = folder({ 'a.txt': 'TODO\n' })
    const runs = folder()
    const config = join(folder({ 'c.json': '{"permissions":{"filesystemWrite":false}}' }), 'c.json')
    const go = new AbortController()
    const flags = ['--connection', redis.url, '--queues', 'read,write', '--runs', runs, '--input', input]
    const worker = kgent(['worker', ...flags, '--config', config], { interrupted: go.signal })
    const ended = await kgent(['run', '--json', '--runs', runs, '--input', input, '--workers', redis.url])
    go.abort()
    await worker
    expect(ended.code).toBe(1)
    expect(ended.json().refusals).toContainEqual(expect.objectContaining({ tool: 'write_file' }))
  })
})
