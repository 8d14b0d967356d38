import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ToolResult } from '@kgent/contracts'
import { createMemoryRun, gateOf } from '@kgent/tools-core/testing'
import { remoteTools } from '@kgent/worker-bullmq'
import { Queue } from 'bullmq'
import { startRedis } from '../test/redis-server.ts'
import { slowProxy } from './slow-proxy.ts'
import { faultTools } from './tools.ts'

export interface FaultRunOptions {
  calls: number
  workers: number
  /** How often each fault happens. */
  rounds: number
  /** `worker.ts` as a program. */
  workerFile: string
}

/** What a fault run has found. All three lists must be empty. */
export interface FaultRunReport {
  calls: number
  byStatus: Record<string, number>
  faults: Record<'sigkill' | 'sigstop' | 'redisRestart' | 'connectionsCut', number>
  duplicateSubmits: number
  retried: number
  /** Acknowledged as done, without an effect. */
  lost: string[]
  /** Writes that happened more than once. */
  twice: string[]
  /** Answers other than done, interrupted, timeout or busy. */
  odd: string[]
}

const LOCK_MS = 1_000
const TOOLS = ['look', 'put', 'book'] as const

/** Sends calls from two senders while workers are killed and stopped, Redis is restarted and the network is slow. */
export async function faultRun({
  calls,
  workers,
  rounds,
  workerFile,
}: FaultRunOptions): Promise<FaultRunReport> {
  const runsDir = mkdtempSync(join(tmpdir(), 'kgent-faults-'))
  const redis = await startRedis()
  const proxy = await slowProxy(redis.port, 2)
  const connection = `redis://127.0.0.1:${proxy.port}`
  const pool = new Pool(workerFile, {
    connection,
    runsDir,
    lockMs: LOCK_MS,
    storageLagMs: 100,
    concurrency: 8,
  })
  const report: FaultRunReport = {
    calls: 0,
    byStatus: {},
    faults: { sigkill: 0, sigstop: 0, redisRestart: 0, connectionsCut: 0 },
    duplicateSubmits: 0,
    retried: 0,
    lost: [],
    twice: [],
    odd: [],
  }
  const results = new Map<string, ToolResult>()
  const senders = ['a', 'b'].map((name) => openSender(name, { connection, runsDir, report }))
  // Whoever submits a job again does so under its id; this one hears of every job.
  const submitter = new Queue('write', {
    connection: { port: redis.port, host: '127.0.0.1' },
    prefix: 'kgent',
  })
  submitter.on('error', () => {})
  try {
    await Promise.all(Array.from({ length: workers }, () => pool.add()))
    let sent = 0
    const send = async () => {
      while (sent < calls) {
        const number = sent++
        const id = `n${number}`
        const tool = TOOLS[number % TOOLS.length] as string
        const sender = senders[number % senders.length]
        const result = await sender?.call(tool, { id, ms: number % 20 === 0 ? 100 : 2 })
        if (result) results.set(`${tool} ${id}`, result)
      }
    }
    const submitAgain = async () => {
      for (const job of await submitter.getJobs(['wait', 'active'], 0, 20)) {
        if (!job?.id) continue
        await submitter.add(job.name, job.data, { jobId: job.id })
        report.duplicateSubmits += 1
      }
    }
    let isOver = false
    const trouble = async () => {
      for (let round = 0; round < rounds && !isOver; round += 1) {
        await sleep(150)
        await submitAgain()
        await pool.killOne()
        report.faults.sigkill += 1
        await sleep(150)
        await pool.freezeOne(LOCK_MS * 2)
        report.faults.sigstop += 1
        proxy.delayMs = 20
        await sleep(150)
        proxy.delayMs = 2
        proxy.cut()
        report.faults.connectionsCut += 1
        await submitAgain()
        await redis.kill('SIGKILL')
        await sleep(100)
        await redis.start()
        report.faults.redisRestart += 1
      }
    }
    const troubled = trouble()
    await Promise.all(Array.from({ length: 32 }, send))
    isOver = true
    await troubled
    await pool.settle()
    judge(report, { results, effects: readEffects(runsDir) })
    return report
  } finally {
    for (const sender of senders) await sender.close()
    await pool.close()
    await submitter.disconnect()
    await proxy.close()
    await redis.stop()
    rmSync(runsDir, { recursive: true, force: true })
  }
}

function openSender(
  name: string,
  { connection, runsDir, report }: { connection: string; runsDir: string; report: FaultRunReport },
) {
  const { context } = createMemoryRun({ limits: { callTimeoutMs: 30_000 } })
  const runId = `run-${name}`
  for (const folder of ['workspace', 'deliverables', 'archive/artifacts'])
    mkdirSync(join(runsDir, runId, folder), { recursive: true })
  return remoteTools({
    connection,
    runsDir,
    tools: faultTools(async () => {
      throw new Error('A handler ran at the sender.')
    }),
    context: { ...context, runId },
    policy: gateOf(),
    pollMs: 200,
    onPlace: (_callId, { attempt }) => {
      if (attempt > 1) report.retried += 1
    },
  })
}

/** `<tool> <id>` of every effect, in order. */
function readEffects(runsDir: string): string[] {
  const text = readFileSync(join(runsDir, 'effects.txt'), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(' ').slice(0, 2).join(' '))
}

function judge(
  report: FaultRunReport,
  { results, effects }: { results: Map<string, ToolResult>; effects: string[] },
): void {
  const times = new Map<string, number>()
  for (const effect of effects) times.set(effect, (times.get(effect) ?? 0) + 1)
  report.calls = results.size
  for (const [call, result] of results) {
    const status = result.ok ? 'ok' : (result.error?.code ?? 'none')
    report.byStatus[status] = (report.byStatus[status] ?? 0) + 1
    if (result.ok && !times.has(call)) report.lost.push(call)
    if (!['ok', 'interrupted', 'timeout', 'busy'].includes(status)) report.odd.push(`${call}: ${status}`)
    if (status === 'busy' && times.has(call)) report.odd.push(`${call}: ran, though busy was said`)
  }
  for (const [call, count] of times) if (count > (call.startsWith('book') ? 1 : 2)) report.twice.push(call)
}

/** Worker processes that are killed, stopped and replaced. */
class Pool {
  readonly #file: string
  readonly #options: object
  readonly #workers = new Set<ChildProcess>()
  readonly #pending = new Set<Promise<unknown>>()

  constructor(file: string, options: object) {
    this.#file = file
    this.#options = options
  }

  async add(): Promise<void> {
    const child = spawn(process.execPath, [this.#file, JSON.stringify(this.#options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#workers.add(child)
    if (child.stdout) await once(createInterface(child.stdout), 'line')
  }

  async killOne(): Promise<void> {
    const [victim] = this.#workers
    if (!victim) return
    this.#workers.delete(victim)
    victim.kill('SIGKILL')
    this.#later(this.add())
  }

  /** Stops a worker for longer than its lock holds, then lets it go on. */
  async freezeOne(ms: number): Promise<void> {
    const victim = [...this.#workers].at(-1)
    if (!victim) return
    victim.kill('SIGSTOP')
    this.#later(sleep(ms).then(() => victim.kill('SIGCONT')))
  }

  async settle(): Promise<void> {
    await Promise.all(this.#pending)
  }

  async close(): Promise<void> {
    await this.settle()
    await Promise.all(
      [...this.#workers].map(async (child) => {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }),
    )
  }

  #later(work: Promise<unknown>): void {
    this.#pending.add(work)
    void work.finally(() => this.#pending.delete(work))
  }
}
