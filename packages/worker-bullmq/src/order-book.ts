import { Queue } from 'bullmq'
import { Redis, type RedisOptions } from 'ioredis'
import { stopsChannel } from './channels.ts'
import { bullOptions } from './connection.ts'
import type { CallOrder } from './order.ts'

const MAX_ORDER_BYTES = 1_024

/** A depth is taken as it was for so long. */
const FRESH_MS = 100

/** What is known of a queue. */
interface Depth {
  waiting: Promise<number>
  at: number
  /** By this sender, since. */
  placed: number
}

/** Where a sender places its calls: one BullMQ queue a permission class, each with a bound on what waits. */
export class OrderBook {
  readonly #redis: RedisOptions
  readonly #prefix: string
  readonly #maxWaiting: number
  readonly #queues = new Map<string, Queue>()
  readonly #depths = new Map<string, Depth>()
  readonly #talk: Redis

  constructor(options: { redis: RedisOptions; prefix: string; maxWaiting: number }) {
    this.#redis = options.redis
    this.#prefix = options.prefix
    this.#maxWaiting = options.maxWaiting
    this.#talk = new Redis({ ...options.redis, lazyConnect: true })
    this.#talk.on('error', () => {})
  }

  /**
   * Whether there is room for one more. The depth is asked for at most every 100 ms; what this sender has placed since is
   * added. Several senders may overshoot by what they place in that time.
   */
  async admit(queue: string): Promise<boolean> {
    const known = this.#depths.get(queue)
    const depth = known && performance.now() - known.at < FRESH_MS ? known : this.#ask(queue)
    const waiting = (await depth.waiting) + depth.placed
    if (waiting >= this.#maxWaiting) return false
    depth.placed += 1
    return true
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

  #ask(queue: string): Depth {
    const waiting = this.#queue(queue).getWaitingCount()
    const depth = { waiting, at: performance.now(), placed: 0 }
    this.#depths.set(queue, depth)
    waiting.catch(() => this.#depths.delete(queue))
    return depth
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
