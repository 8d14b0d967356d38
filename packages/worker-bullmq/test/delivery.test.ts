import { spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { gateOf } from '@kgent/tools-core/testing'
import { queueStates, type ToolServer } from '@kgent/worker-bullmq'
import { Queue } from 'bullmq'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildProgram } from '../faults/build-program.mjs'
import { faultTools } from '../faults/tools.ts'
import { createFixture, type Fixture } from './fixture.ts'
import { hasRedis, needsRedis, type RedisServer, startRedis } from './redis-server.ts'

describe.skipIf(!hasRedis)(`delivery${needsRedis}`, () => {
  let redis: RedisServer
  let fixture: Fixture
  let program: { file: string; dir: string }
  beforeAll(async () => {
    redis = await startRedis()
    program = await buildProgram('worker.ts')
  })
  afterEach(() => fixture.close())
  afterAll(async () => {
    await redis?.stop()
    if (program) rmSync(program.dir, { recursive: true, force: true })
  })

  const input = { path: 'workspace/a.txt', text: 'hello' }
  const slow = { id: 'a', ms: 60_000 }
  const tools = faultTools(async () => {})

  /** A worker process that can be killed, in the fixture's runs folder. */
  async function startProcess(prefix: string) {
    const options = { connection: redis.url, runsDir: fixture.runsDir, prefix, lockMs: 1_000 }
    const child = spawn(process.execPath, [program.file, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((ready) => createInterface(child.stdout).once('line', ready))
    return child
  }
  const started = () =>
    expect.poll(() => existsSync(join(fixture.runsDir, 'effects.txt')), { timeout: 5_000 }).toBe(true)

  it('has the call’s id as the job’s id, so that a job that comes again is none', async () => {
    const gate = openGate()
    fixture = createFixture(redis.url, { gates: { open: gate.promise } })
    await fixture.worker({ prefix: 'again' })
    const remote = fixture.sender({ prefix: 'again' })
    const call = remote.call('write_note', input)
    await expect.poll(() => fixture.ran.length).toBe(1)
    const queue = new Queue('write', { connection: { port: redis.port, host: '127.0.0.1' }, prefix: 'again' })
    const [job] = await queue.getJobs(['active'])
    expect(fixture.ran[0]).toContain(job?.id)
    await queue.add('write_note', job?.data, { jobId: job?.id ?? '' })
    gate.open()
    expect((await call).ok).toBe(true)
    expect(fixture.ran).toHaveLength(1)
    await queue.close()
  })

  it('makes a write of a dead worker interrupted, and never runs it again', async () => {
    fixture = createFixture(redis.url, { limits: { callTimeoutMs: 20_000 } })
    const victim = await startProcess('dead')
    const remote = fixture.sender({ tools, prefix: 'dead' })
    const call = remote.call('book', slow)
    await started()
    victim.kill('SIGKILL')
    const ran: string[] = []
    await fixture.worker({ tools: faultTools(async (line) => void ran.push(line)), prefix: 'dead' })
    expect((await call).error?.code).toBe('interrupted')
    expect(fixture.records).toMatchObject([{ status: 'interrupted' }])
    expect(ran).toEqual([])
  })

  it.each(['look', 'put'])('runs %s of a dead worker once more, and numbers it', async (tool) => {
    fixture = createFixture(redis.url, { limits: { callTimeoutMs: 20_000 } })
    const victim = await startProcess(tool)
    const remote = fixture.sender({ tools, prefix: tool })
    const call = remote.call(tool, slow)
    await started()
    victim.kill('SIGKILL')
    const ran: string[] = []
    await fixture.worker({ tools: faultTools(async (line) => void ran.push(line)), prefix: tool })
    expect((await call).ok).toBe(true)
    expect(ran).toHaveLength(1)
    expect(fixture.places).toMatchObject([{ attempt: 2 }])
  })

  it('refuses the late answer of a worker that was only stopped', async () => {
    fixture = createFixture(redis.url, { limits: { callTimeoutMs: 20_000 } })
    const zombie = await startProcess('zombie')
    const remote = fixture.sender({ tools, prefix: 'zombie' })
    const call = remote.call('book', { id: 'a', ms: 300 })
    await started()
    zombie.kill('SIGSTOP')
    await fixture.worker({ tools, prefix: 'zombie' })
    expect((await call).error?.code).toBe('interrupted')
    zombie.kill('SIGCONT')
    zombie.kill('SIGTERM')
    await new Promise((ended) => zombie.once('exit', ended))
    const { callId } = fixture.records[0] ?? {}
    const logs = readdirSync(join(fixture.runsDir, '.workers')).map((worker) =>
      join(fixture.runsDir, '.workers', worker),
    )
    const late = logs.flatMap((logDir) => {
      const lines = existsSync(join(logDir, 'logs/errors.jsonl'))
        ? fixture.log({ logDir } as ToolServer, 'logs/errors.jsonl')
        : []
      return lines.filter((line: { callId?: string; message?: string }) => line.callId === callId)
    })
    expect(late).toMatchObject([{ message: expect.stringContaining('refused') }])
    expect(fixture.records).toMatchObject([{ status: 'interrupted' }])
  })

  it('says busy, and that nothing was run, when no worker takes a call before its deadline', async () => {
    fixture = createFixture(redis.url, { limits: { callTimeoutMs: 500 } })
    const remote = fixture.sender({ prefix: 'nobody' })
    const result = await remote.call('write_note', input)
    expect(result.error).toMatchObject({ code: 'busy', retryable: true })
    expect(result.error?.hint).toContain('Nothing was run')
    const worker = await fixture.worker({ prefix: 'nobody' })
    expect(await remote.call('read_note', { path: 'workspace/none.txt' })).toMatchObject({
      error: { code: 'not_found' },
    })
    expect(fixture.ran).toHaveLength(1)
    expect(worker.health().ended.answered).toBe(1)
  })

  it('says busy at once when the queue is full', async () => {
    fixture = createFixture(redis.url)
    const remote = fixture.sender({ maxWaiting: 3, prefix: 'full' })
    const calls = Array.from({ length: 8 }, (_, n) => remote.call('give_much', { rows: n }))
    const first = await Promise.race(calls)
    expect(first.error).toMatchObject({ code: 'busy', message: expect.stringContaining('queue read') })
    await fixture.worker({ prefix: 'full' })
    const results = await Promise.all(calls)
    expect(results.filter(({ ok }) => ok)).toHaveLength(3)
  })

  it('ends a call at the worker when its time is over, and says that it may have taken effect', async () => {
    fixture = createFixture(redis.url, {
      limits: { callTimeoutMs: 1_000 },
      gates: { open: new Promise(() => {}) },
    })
    await fixture.worker()
    const result = await fixture.sender().call('write_note', input)
    expect(result.error).toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('may still happen'),
    })
  })

  it('stops a running call when the caller does', async () => {
    fixture = createFixture(redis.url, { gates: { open: new Promise(() => {}) } })
    const worker = await fixture.worker({ callTimeoutMs: 15_000 })
    const controller = new AbortController()
    const call = fixture.sender().call('write_note', input, { signal: controller.signal })
    await expect.poll(() => fixture.ran.length).toBe(1)
    controller.abort()
    expect((await call).error?.code).toBe('aborted')
    await expect.poll(() => worker.health().running, { timeout: 5_000 }).toBe(0)
    expect(fixture.log(worker)).toMatchObject([{ status: 'aborted' }])
  })

  it('takes calls back that a Redis without memory has lost', async () => {
    fixture = createFixture(redis.url, { limits: { callTimeoutMs: 10_000 } })
    const remote = fixture.sender({ prefix: 'lost' })
    const call = remote.call('write_note', input)
    await expect.poll(() => redis.client.llen('lost:write:wait')).toBe(1)
    await redis.client.flushall()
    await fixture.worker({ prefix: 'lost' })
    expect((await call).ok).toBe(true)
    expect(fixture.ran).toHaveLength(1)
  })

  it('runs writes to one file one after the other, on however many workers', async () => {
    fixture = createFixture(redis.url)
    await Promise.all([fixture.worker(), fixture.worker()])
    const remote = fixture.sender({ policy: gateOf() })
    const texts = Array.from({ length: 12 }, (_, n) => `text ${n}`)
    const results = await Promise.all(
      texts.map((text) => remote.call('write_note', { path: 'workspace/a.txt', text })),
    )
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect((await remote.call('read_note', { path: 'workspace/a.txt' })).data).toEqual({ text: 'text 11' })
  })

  it('ends what runs before a worker goes', async () => {
    const gate = openGate()
    fixture = createFixture(redis.url, { gates: { open: gate.promise } })
    const worker = await fixture.worker({ prefix: 'drain' })
    const call = fixture.sender({ prefix: 'drain' }).call('write_note', input)
    await expect.poll(() => fixture.ran.length).toBe(1)
    const closed = worker.close()
    expect(worker.health().state).toBe('draining')
    await expect
      .poll(async () => {
        const [state] = await queueStates({ connection: redis.url, queues: ['write'], prefix: 'drain' })
        return state
      })
      .toMatchObject({
        waiting: 0,
        active: 1,
        workers: [{ worker: worker.worker, state: 'draining', running: 1 }],
      })
    gate.open()
    expect((await call).ok).toBe(true)
    await closed
    expect(worker.health().state).toBe('closed')
  })
})

function openGate() {
  let open = () => {}
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open }
}
