import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createFixture, type Fixture } from './fixture.ts'
import { hasRedis, needsRedis, type RedisServer, startRedis } from './redis-server.ts'

describe.skipIf(!hasRedis)(`remote tools${needsRedis}`, () => {
  let redis: RedisServer
  let fixture: Fixture
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterEach(() => fixture.close())
  afterAll(() => redis?.stop())

  it('run on a worker, and are recorded like local ones, with worker and queue time beside', async () => {
    fixture = createFixture(redis.url)
    const worker = await fixture.worker()
    const remote = fixture.sender()
    const input = { path: 'deliverables/a.txt', text: 'hello' }
    const written = await remote.call('write_note', input, { toolCallId: 'c1' })
    expect(written).toMatchObject({ ok: true, summary: 'Wrote deliverables/a.txt', data: { bytes: 5 } })
    const read = await remote.call('read_note', { path: 'deliverables/a.txt' })
    expect(read.data).toEqual({ text: 'hello' })

    const { callId } = fixture.records[0] ?? {}
    expect(fixture.ran).toEqual([
      `write_note deliverables/a.txt c1 ${callId}`,
      'read_note deliverables/a.txt attempt=1',
    ])
    expect(readFileSync(join(fixture.runDir, 'deliverables/a.txt'), 'utf8')).toBe('hello')
    expect(fixture.records).toMatchObject([
      { tool: 'write_note', toolCallId: 'c1', attempt: 1, status: 'ok' },
      { tool: 'read_note', status: 'ok' },
    ])
    expect(fixture.places).toMatchObject([
      { worker: worker.worker, queue: 'write', attempt: 1, queueMs: expect.any(Number) },
      { queue: 'read' },
    ])
    expect(fixture.events).toContainEqual(
      expect.objectContaining({
        type: 'tool.call.progress',
        callId,
        data: expect.objectContaining({ queue: 'write' }),
      }),
    )
    expect(fixture.log(worker)).toMatchObject([
      { tool: 'write_note', toolCallId: callId, runId: 'run-1', status: 'ok' },
      { tool: 'read_note' },
    ])
    await remote.close()
    expect(readdirSync(join(fixture.runDir, 'archive'))).toEqual(['artifacts'])
  })

  it('find their answers without any event', async () => {
    fixture = createFixture(redis.url)
    await fixture.worker()
    const remote = fixture.sender({ events: false })
    expect(await remote.call('give_much', { rows: 2 })).toMatchObject({ ok: true })
  })

  it('keep large results as artifacts of the run, and large inputs out of Redis', async () => {
    fixture = createFixture(redis.url)
    await fixture.worker()
    const remote = fixture.sender({ maxInputBytes: 200_000 })
    const much = await remote.call('give_much', { rows: 2_000 })
    expect(much.artifacts).toEqual([expect.stringMatching(/^artifacts\//)])
    const large = { path: 'workspace/large.txt', text: 'x'.repeat(150_000) }
    expect(await remote.call('write_note', large)).toMatchObject({ data: { bytes: 150_000 } })
    const larger = await remote.call('write_note', { ...large, text: 'x'.repeat(200_000) })
    expect(larger.error?.code).toBe('too_large')
  })

  it('leave no argument, result or secret in Redis', async () => {
    fixture = createFixture(redis.url)
    await fixture.worker()
    const remote = fixture.sender()
    const secrets = ['planted-argument-4711', 'planted-name-4712', 'planted-id-4713']
    const path = `workspace/${secrets[1]}.txt`
    await remote.call('write_note', { path, text: secrets[0] }, { toolCallId: secrets[2] ?? '' })
    await remote.call('read_note', { path })
    await remote.call('read_note', { path: `${path}-absent` })
    await redis.client.bgrewriteaof()
    const memory = await everything(redis)
    expect(memory).toContain('read_note')
    const files = readdirSync(redis.dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('.aof') || name.includes('.rdb'))
      .map((name) => readFileSync(join(redis.dir, name), 'latin1'))
      .join('\n')
    expect(files.length).toBeGreaterThan(0)
    for (const secret of [...secrets, fixture.runsDir]) {
      expect(memory).not.toContain(secret)
      expect(files).not.toContain(secret)
    }
  })
})

/** Every key and value of a server as text. */
async function everything({ client }: RedisServer): Promise<string> {
  const found: unknown[] = []
  for (const key of await client.keys('*')) {
    const type = await client.type(key)
    found.push(key)
    if (type === 'hash') found.push(await client.hgetall(key))
    if (type === 'string') found.push(await client.get(key))
    if (type === 'list') found.push(await client.lrange(key, 0, -1))
    if (type === 'set') found.push(await client.smembers(key))
    if (type === 'zset') found.push(await client.zrange(key, 0, -1))
    if (type === 'stream') found.push(await client.xrange(key, '-', '+'))
  }
  return JSON.stringify(found)
}
