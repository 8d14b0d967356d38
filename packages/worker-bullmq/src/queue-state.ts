import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { DEFAULT_PREFIX, workersKey } from './channels.ts'
import { bullOptions, type Connection, redisOptions } from './connection.ts'

/** How a queue stands. */
export interface QueueState {
  queue: string
  waiting: number
  active: number
  /** Workers of the queue, each with what it last said of itself. */
  workers: {
    worker: string
    state: string
    running: number /** Milliseconds since it said so. */
    silentMs: number
  }[]
}

const PATIENCE_MS = 2_000

/** Depth and workers of queues, for reports and health checks. Rejects when Redis does not answer within 2 seconds. */
export async function queueStates(options: {
  connection: Connection
  queues: readonly string[]
  prefix?: string
}): Promise<QueueState[]> {
  const { prefix = DEFAULT_PREFIX } = options
  const redis = redisOptions(options.connection)
  const client = new Redis({ ...redis, connectTimeout: PATIENCE_MS })
  client.on('error', () => {})
  const queues = options.queues.map((name) => new Queue(name, { connection: bullOptions(redis), prefix }))
  for (const queue of queues) queue.on('error', () => {})
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Redis did not answer.')), PATIENCE_MS)
  })
  try {
    return await Promise.race([
      Promise.all(queues.map((queue) => stateOf(queue, { client, prefix }))),
      patience,
    ])
  } finally {
    clearTimeout(timer)
    client.disconnect()
    for (const queue of queues) void queue.disconnect().catch(() => {})
  }
}

async function stateOf(
  queue: Queue,
  { client, prefix }: { client: Redis; prefix: string },
): Promise<QueueState> {
  const [counts, said] = await Promise.all([
    queue.getJobCounts('wait', 'active'),
    client.hgetall(workersKey(prefix, queue.name)),
  ])
  const workers = Object.entries(said).map(([worker, text]) => {
    const { at, state, running } = JSON.parse(text) as { at: number; state: string; running: number }
    return { worker, state, running, silentMs: Math.max(0, Date.now() - at) }
  })
  return { queue: queue.name, waiting: counts.wait ?? 0, active: counts.active ?? 0, workers }
}
