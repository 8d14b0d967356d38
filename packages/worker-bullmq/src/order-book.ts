import { Queue } from 'bullmq'
import { Redis, type RedisOptions } from 'ioredis'
import { stopsChannel } from './channels.ts'
import { bullOptions } from './connection.ts'
import type { CallOrder } from './order.ts'

const MAX_ORDER_BYTES = 1_024

/** Where a sender places its calls: one BullMQ queue a permission class, each with a bound on what waits. */
export class OrderBook {
  readonly #redis: RedisOptions
  readonly #prefix: string
  readonly #maxWaiting: number
  readonly #queues = new Map<string, Queue>()
  readonly #placing = new Map<string, number>()
  readonly #talk: Redis

  constructor(options: { redis: RedisOptions; prefix: string; maxWaiting: number }) {
    this.#redis = options.redis
    this.#prefix = options.prefix
    this.#maxWaiting = options.maxWaiting
    this.#talk = new Redis({ ...options.redis, lazyConnect: true })
    this.#talk.on('error', () => {})
  }

  /**
   * Whether there is room for one more. What this sender is placing at this moment counts; several senders may overshoot
   * by what they place at once. Call the function that comes back when the order is placed or given up.
   */
  async admit(queue: string): Promise<(() => void) | null> {
    const placing = (this.#placing.get(queue) ?? 0) + 1
    this.#placing.set(queue, placing)
    const done = () => void this.#placing.set(queue, (this.#placing.get(queue) ?? 1) - 1)
    try {
      const waiting = await this.#queue(queue).getWaitingCount()
      if (waiting + placing <= this.#maxWaiting) return done
      done()
      return null
    } catch (thrown) {
      done()
      throw thrown
    }
  }

  /** Placing one call twice is placing it once: the job's id is the call's. */
  async place(queue: string, callId: string, order: CallOrder): Promise<void> {
    await this.#queue(queue).add(order.tool, order, { jobId: callId, sizeLimit: MAX_ORDER_BYTES })
  }

  /** `absent`: Redis does not know the job (any more). */
  async state(queue: string, callId: string): Promise<'failed' | 'absent' | 'other'> {
    const state = await this.#queue(queue).getJobState(callId)
    return state === 'failed' ? 'failed' : state === 'unknown' ? 'absent' : 'other'
  }

  /** Takes a call back that no worker has, and tells workers to look whether it is one of theirs. */
  async stop(queue: string, callId: string): Promise<void> {
    await this.#queue(queue).remove(callId)
    await this.#talk.publish(stopsChannel(this.#prefix, queue), callId)
  }

  close(): void {
    this.#talk.disconnect()
    for (const queue of this.#queues.values()) void queue.disconnect().catch(() => {})
  }

  #queue(name: string): Queue {
    const known = this.#queues.get(name)
    if (known) return known
    const queue = new Queue(name, { connection: bullOptions(this.#redis), prefix: this.#prefix })
    queue.on('error', () => {})
    this.#queues.set(name, queue)
    return queue
  }
}
