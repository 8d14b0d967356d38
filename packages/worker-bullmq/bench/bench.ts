import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createToolset } from '@kgent/tools-core'
import { createMemoryRun } from '@kgent/tools-core/testing'
import { remoteTools } from '@kgent/worker-bullmq'
import { Queue, QueueEvents } from 'bullmq'
import { startRedis } from '../test/redis-server.ts'
import { allowAll, benchTools } from './tools.ts'

const CONCURRENCY = 4
const TOOL_MS = 5

type Call = (ms: number) => Promise<unknown>

/** Latency of one call at a time, and calls a second with many in flight, in three ways. Prints ratios. */
export async function bench(options: { workerFile: string; calls: number }): Promise<void> {
  const runsDir = mkdtempSync(join(tmpdir(), 'kgent-bench-'))
  const redis = await startRedis()
  const { context } = createMemoryRun()
  for (const folder of ['workspace', 'deliverables', 'archive/artifacts', 'archive/calls'])
    mkdirSync(join(runsDir, context.runId, folder), { recursive: true })
  const host = { host: '127.0.0.1', port: redis.port }
  const queue = new Queue('bare', { connection: host })
  queue.setMaxListeners(0)
  const events = new QueueEvents('bare', { connection: host })
  await events.waitUntilReady()
  const binding = { context, policy: allowAll }
  const local = createToolset(benchTools(), binding)
  const remote = remoteTools({ ...binding, tools: benchTools(), connection: redis.url, runsDir })
  const ways: Record<string, Call> = {
    'in process': (ms) => local.call('wait', { ms }),
    'bare BullMQ': async (ms) => {
      const job = await queue.add('wait', { ms }, { removeOnComplete: 1_000 })
      return job.waitUntilFinished(events)
    },
    kgent: (ms) => remote.call('wait', { ms }),
  }
  const start = (mode: string) =>
    startWorker(options.workerFile, { mode, connection: redis.url, runsDir, concurrency: CONCURRENCY })
  const workers: ChildProcess[] = []
  try {
    workers.push(await start('bare'), await start('kgent'))
    console.log(`node ${process.version}; ms a call, one at a time (median of ${options.calls})`)
    for (const ms of [0, TOOL_MS]) await showLatency(ways, { ms, calls: options.calls })
    console.log(
      `\ncalls a second, ${TOOL_MS} ms tool, ${CONCURRENCY} at a time a worker, twice as many in flight`,
    )
    for (const count of [1, 2, 4, 8]) {
      while (workers.length < 2 * count) workers.push(await start('bare'), await start('kgent'))
      await showThroughput(ways, { count, calls: options.calls })
    }
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
    await remote.close()
    await queue.disconnect()
    await events.close()
    await redis.stop()
    rmSync(runsDir, { recursive: true, force: true })
  }
}

async function showLatency(ways: Record<string, Call>, { ms, calls }: { ms: number; calls: number }) {
  const medians: Record<string, number> = {}
  // In turns, so that whatever else the machine does falls on all alike.
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
  for (let round = 0; round < calls + 20; round += 1) {
    for (const [name, call] of Object.entries(ways)) {
      const begin = performance.now()
      await call(ms)
      if (round >= 20) times[name]?.push(performance.now() - begin)
    }
  }
  for (const [name, values] of Object.entries(times)) medians[name] = median(values)
  const { 'in process': here = 0, 'bare BullMQ': bare = 0, kgent = 0 } = medians
  console.log(
    `  ${ms} ms tool: in process ${here.toFixed(2)}, bare BullMQ ${bare.toFixed(2)}, kgent ${kgent.toFixed(2)};` +
      ` kgent / bare ${(kgent / bare).toFixed(2)}, overhead ${(kgent - here).toFixed(2)} ms`,
  )
}

async function showThroughput(
  ways: Record<string, Call>,
  { count, calls }: { count: number; calls: number },
) {
  const rates: string[] = []
  const inFlight = 2 * CONCURRENCY * count
  for (const [name, call] of Object.entries(ways)) {
    let left = calls * count
    const begin = performance.now()
    const lane = async () => {
      while (left-- > 0) await call(TOOL_MS)
    }
    await Promise.all(Array.from({ length: inFlight }, lane))
    rates.push(`${name} ${Math.round((calls * count * 1_000) / (performance.now() - begin))}`)
  }
  console.log(`  ${count} workers: ${rates.join(', ')}`)
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

async function startWorker(file: string, options: object): Promise<ChildProcess> {
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((ready) => createInterface(child.stdout).once('line', ready))
  return child
}
