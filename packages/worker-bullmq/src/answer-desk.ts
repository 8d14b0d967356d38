import { Redis, type RedisOptions } from 'ioredis'

/** Told when there may be something to read about a call. */
export type Listener = (about: 'answer' | 'progress' | 'poll') => void

/**
 * Where a sender waits for its answers: by event, one channel of its own a queue, and by looking again every `pollMs`,
 * because events can be missed.
 */
export class AnswerDesk {
  readonly #redis: Redis
  readonly #channelOf: (queue: string) => string
  readonly #waiting = new Map<string, Listener>()
  readonly #subscribed = new Map<string, Promise<unknown>>()
  readonly #timer: NodeJS.Timeout

  constructor(options: {
    redis: RedisOptions
    channelOf: (queue: string) => string
    pollMs: number
    events: boolean
  }) {
    this.#channelOf = options.channelOf
    this.#redis = new Redis({ ...options.redis, lazyConnect: true })
    this.#redis.on('error', () => {})
    if (options.events) this.#redis.on('message', (_channel, text) => this.#hear(text))
    this.#timer = setInterval(() => {
      for (const listener of this.#waiting.values()) listener('poll')
    }, options.pollMs)
    this.#timer.unref()
  }

  /** Begins to listen to a queue. That it fails is no matter: answers are polled for as well. */
  listen(queue: string): void {
    if (this.#subscribed.has(queue)) return
    this.#subscribed.set(
      queue,
      this.#redis.subscribe(this.#channelOf(queue)).catch(() => this.#subscribed.delete(queue)),
    )
  }

  wait(callId: string, listener: Listener): () => void {
    this.#waiting.set(callId, listener)
    return () => void this.#waiting.delete(callId)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#redis.disconnect()
  }

  #hear(text: string): void {
    const [about, callId] = text.split(' ')
    if (about === 'answer' || about === 'progress') this.#waiting.get(callId ?? '')?.(about)
  }
}
