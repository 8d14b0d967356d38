import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildEffectivePolicy } from '@kgent/permissions'
import { gateOf } from '@kgent/tools-core/testing'
import { serveTools } from '@kgent/worker-bullmq'
import { Queue } from 'bullmq'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createFixture, type Fixture, only } from './fixture.ts'
import { hasRedis, needsRedis, type RedisServer, startRedis } from './redis-server.ts'

describe.skipIf(!hasRedis)(`what a worker refuses${needsRedis}`, () => {
  let redis: RedisServer
  let fixture: Fixture
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterEach(() => fixture.close())
  afterAll(() => redis?.stop())

  const input = { path: 'workspace/a.txt', text: 'hello' }

  it('is never sent what the sender’s own policy denies', async () => {
    fixture = createFixture(redis.url)
    const worker = await fixture.worker()
    const remote = fixture.sender({ policy: only({ filesystemRead: 'allow' }) })
    expect((await remote.call('write_note', input)).error?.code).toBe('permission_denied')
    expect(worker.health().ended).toMatchObject({ answered: 0, refused: 0 })
  })

  it('is what its own policy does not grant, whatever the sender allowed; both records say so', async () => {
    fixture = createFixture(redis.url)
    const worker = await fixture.worker({ policy: only({ filesystemRead: 'allow' }) })
    const result = await fixture.sender().call('write_note', input)
    expect(result.error).toMatchObject({ code: 'permission_denied', details: { worker: worker.worker } })
    expect(fixture.ran).toEqual([])
    expect(fixture.records).toMatchObject([{ status: 'denied' }])
    expect(fixture.log(worker)).toMatchObject([{ tool: 'write_note', status: 'denied' }])
  })

  it('is what leads out of the run’s folder on the worker’s machine', async () => {
    fixture = createFixture(redis.url)
    const worker = await fixture.worker()
    // The sender's sandbox of this test would let it through.
    const result = await fixture.sender().call('read_note', { path: '/etc/hostname' })
    expect(result.error?.code).toMatch(/^path_/)
    expect(fixture.log(worker)).toMatchObject([{ tool: 'read_note', status: 'denied' }])
  })

  it('takes a person’s yes at the sender for its own question, and asks nobody without one', async () => {
    fixture = createFixture(redis.url)
    await fixture.worker({ policy: gateOf({ filesystemWrite: 'ask' }) })
    const unasked = await fixture.sender().call('write_note', input)
    expect(unasked.error?.code).toBe('approval_rejected')
    const asking = fixture.sender({ policy: gateOf({ filesystemWrite: 'ask' }) })
    await asking.tool('write_note')?.decide(input, { toolCallId: 'c1' })
    const asked = await asking.call('write_note', input, { toolCallId: 'c1', approval: { approved: true } })
    expect(asked.ok).toBe(true)
    expect(fixture.ran).toHaveLength(1)
  })

  it('has by default the queues of what its policy grants', async () => {
    fixture = createFixture(redis.url)
    const { runsDir, tools } = fixture
    const options = { connection: redis.url, runsDir, tools, prefix: 'granted' }
    const reader = await serveTools({
      ...options,
      policy: buildEffectivePolicy({ config: { filesystemWrite: false, memoryWrite: false } }),
    })
    expect(reader.queues).toEqual(['read'])
    await reader.close()
    await expect(serveTools({ ...options, policy: only({}) })).rejects.toThrow(/no queue/)
  })

  describe('as no call of a sender:', () => {
    const order = (more: object = {}) => ({
      v: 1,
      runId: 'run-1',
      tool: 'write_note',
      inputSha256: 'a'.repeat(64),
      deadline: Date.now() + 10_000,
      sender: 'run-1.sender',
      ...more,
    })

    const submit = async (prefix: string, job: { id: string; name?: string; data: object }) => {
      const queue = new Queue('write', { connection: { port: redis.port, host: '127.0.0.1' }, prefix })
      await queue.add(job.name ?? 'write_note', job.data, { jobId: job.id })
      return queue
    }

    const ended = async (worker: Awaited<ReturnType<Fixture['worker']>>, count: number) => {
      await expect.poll(() => worker.health().ended.refused, { timeout: 5_000 }).toBe(count)
      return fixture.log(worker)
    }

    it.each([
      ['an order without a call behind it', {}, 'worker.forged'],
      ['an order for a run that is none', { runId: 'no-such-run' }, 'worker.forged'],
      ['a run id that is a path', { runId: '../run-1' }, 'worker.malformed'],
      ['a further field', { input: '{"path":"workspace/a.txt"}' }, 'worker.malformed'],
      ['a tool that is no name', { tool: 'write note' }, 'worker.malformed'],
    ])('%s', async (_name, more, rule) => {
      fixture = createFixture(redis.url)
      mkdirSync(join(fixture.runDir, 'archive/calls'))
      const prefix = `f${randomUUID().slice(0, 8)}`
      const worker = await fixture.worker({ prefix })
      const queue = await submit(prefix, { id: randomUUID(), data: order(more) })
      expect(await ended(worker, 1)).toMatchObject([{ status: 'denied', decisions: [{ rule }] }])
      expect(fixture.ran).toEqual([])
      await queue.close()
    })

    it.each([
      ['another tool', { tool: 'give_much' }, 'tool'],
      ['a changed argument hash', { inputSha256: 'b'.repeat(64) }, 'inputSha256'],
      ['a later deadline', { deadline: Date.now() + 1e9 }, 'deadline'],
      ['another sender', { sender: 'somebody.else' }, 'sender'],
    ])('a job that was changed to name %s', async (_name, change, field) => {
      fixture = createFixture(redis.url)
      const prefix = `f${randomUUID().slice(0, 8)}`
      const { callId, data } = await writtenDown(fixture)
      const worker = await fixture.worker({ prefix })
      const changed = { ...data, ...change }
      const queue = await submit(prefix, { id: callId, name: changed.tool, data: changed })
      expect(await ended(worker, 1)).toMatchObject([
        {
          callId,
          status: 'denied',
          decisions: [{ rule: 'worker.mismatch', reason: expect.stringContaining(field) }],
        },
      ])
      expect(fixture.log(worker, 'logs/errors.jsonl')).toHaveLength(1)
      expect(fixture.ran).toEqual([])
      await queue.close()
    })

    it('arguments that were changed on the storage', async () => {
      fixture = createFixture(redis.url)
      const prefix = `f${randomUUID().slice(0, 8)}`
      const { callId, data } = await writtenDown(fixture, {
        input: '{"path":"workspace/other.txt","text":"x"}',
      })
      const worker = await fixture.worker({ prefix })
      const queue = await submit(prefix, { id: callId, data })
      expect(await ended(worker, 1)).toMatchObject([{ decisions: [{ rule: 'worker.mismatch' }] }])
      await queue.close()
    })

    it('a job whose deadline has passed', async () => {
      fixture = createFixture(redis.url)
      const prefix = `f${randomUUID().slice(0, 8)}`
      const { callId, data } = await writtenDown(fixture, { deadline: Date.now() - 1 })
      const worker = await fixture.worker({ prefix })
      const queue = await submit(prefix, { id: callId, data })
      expect(await ended(worker, 1)).toMatchObject([{ decisions: [{ rule: 'worker.expired' }] }])
      expect(fixture.ran).toEqual([])
      await queue.close()
    })
  })
})

/** A call as its sender writes it down, without a sender. */
async function writtenDown(fixture: Fixture, change: object = {}) {
  const { createHash } = await import('node:crypto')
  const input = '{"path":"workspace/a.txt","text":"hello"}'
  const data = {
    v: 1,
    runId: 'run-1',
    tool: 'write_note',
    inputSha256: createHash('sha256').update(input).digest('hex'),
    deadline: Date.now() + 10_000,
    sender: 'run-1.sender',
    ...('deadline' in change ? change : {}),
  }
  const callId = randomUUID()
  const rest = { queue: 'write', toolCallId: null, submittedAt: Date.now(), decisions: [], approved: false }
  const envelope = { ...data, callId, input, ...rest, ...change }
  mkdirSync(join(fixture.runDir, 'archive/calls'))
  writeFileSync(join(fixture.runDir, 'archive/calls', `${callId}.call`), JSON.stringify(envelope))
  return { callId, data }
}
