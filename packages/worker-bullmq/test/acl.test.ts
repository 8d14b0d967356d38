import { aclRules } from '@kgent/worker-bullmq'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createFixture, type Fixture } from './fixture.ts'
import { hasRedis, needsRedis, type RedisServer, startRedis } from './redis-server.ts'

it('aclRules takes only names', () => {
  expect(() => aclRules({ queues: ['*'] })).toThrow(/names/)
  expect(() => aclRules({ queues: [] })).toThrow(/names/)
})

describe.skipIf(!hasRedis)(`a worker with a reader’s credentials${needsRedis}`, () => {
  let redis: RedisServer
  let fixture: Fixture
  let reader: { host: string; port: number; username: string; password: string }
  beforeAll(async () => {
    redis = await startRedis()
    await redis.client.acl(
      'SETUSER',
      'reader',
      ...aclRules({ queues: ['read'], prefix: 'acl' }),
      '>reader-password',
    )
    reader = { host: '127.0.0.1', port: redis.port, username: 'reader', password: 'reader-password' }
  })
  afterEach(() => fixture?.close())
  afterAll(() => redis?.stop())

  it('runs reads', async () => {
    fixture = createFixture(redis.url)
    await fixture.worker({ connection: reader, prefix: 'acl', queues: ['read'] })
    expect((await fixture.sender({ prefix: 'acl' }).call('give_much', { rows: 1 })).ok).toBe(true)
  })

  it('can neither take, submit, look at nor answer write jobs', async () => {
    fixture = createFixture(redis.url)
    const writes = new Queue('write', { connection: { host: '127.0.0.1', port: redis.port }, prefix: 'acl' })
    await writes.add('write_note', {}, { jobId: 'waiting' })
    const thief = new Redis(reader)
    const forger = new Queue('write', { connection: reader, prefix: 'acl' })
    forger.on('error', () => {})
    await expect(forger.add('write_note', {})).rejects.toThrow(/NOPERM|permission/i)
    await expect(thief.lpop('acl:write:wait')).rejects.toThrow(/NOPERM/)
    await expect(thief.hgetall('acl:write:waiting')).rejects.toThrow(/NOPERM/)
    await expect(thief.eval("return redis.call('lpop', 'acl:write:wait')", 0)).rejects.toThrow(
      /executing the script can/,
    )
    await expect(thief.publish('acl:write:answers:x', 'answer x')).rejects.toThrow(/NOPERM/)
    await expect(thief.flushall()).rejects.toThrow(/NOPERM/)
    await expect(thief.keys('*')).rejects.toThrow(/NOPERM/)
    await expect(thief.config('GET', '*')).rejects.toThrow(/NOPERM/)
    expect(await redis.client.llen('acl:write:wait')).toBe(1)
    thief.disconnect()
    await forger.disconnect()
    await writes.close()
  })
})
