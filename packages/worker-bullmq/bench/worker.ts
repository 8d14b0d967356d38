// A worker process of the bench: kgent's, or one of bare BullMQ with the same 5 ms of work.
import { setTimeout as sleep } from 'node:timers/promises'
import { serveTools } from '@kgent/worker-bullmq'
import { Worker } from 'bullmq'
import { allowAll, benchTools } from './tools.ts'

const { mode, connection, runsDir, concurrency } = JSON.parse(process.argv[2] ?? '{}')
if (mode === 'bare') {
  const { port, hostname: host } = new URL(connection)
  const work = async ({ data }: { data: { ms: number } }) => {
    await sleep(data.ms)
    return { ok: true }
  }
  const worker = new Worker('bare', work, { connection: { host, port: Number(port) }, concurrency })
  await worker.waitUntilReady()
} else {
  await serveTools({
    connection,
    runsDir,
    tools: benchTools(),
    policy: allowAll,
    queues: ['read'],
    concurrency,
  })
}
console.log('ready')
process.once('SIGTERM', () => process.exit(0))
