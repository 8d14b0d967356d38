import { Redis, type RedisOptions } from 'ioredis'
import type { CallFiles } from './call-files.ts'

const LOOK_MS = 1_000

interface Watched {
  files: CallFiles
  controller: AbortController
}

/**
 * Stops calls that their senders have ended. A sender makes its own verdict and then says so over Redis; for whoever
 * missed that, the verdict is looked for once a second.
 */
export class StopWatch {
  readonly #redis: Redis
  readonly #channels: readonly string[]
  readonly #watched = new Map<string, Watched>()
  readonly #timer: NodeJS.Timeout

  constructor(options: { redis: RedisOptions; channels: readonly string[] }) {
    this.#redis = new Redis(options.redis)
    this.#redis.on('error', () => {})
    this.#redis.on('message', (_channel: string, callId: string) => void this.#look(callId))
    this.#channels = options.channels
    this.#timer = setInterval(() => {
      for (const callId of this.#watched.keys()) void this.#look(callId)
    }, LOOK_MS)
  }

  async ready(): Promise<void> {
    await this.#redis.subscribe(...this.#channels)
  }

  watch(files: CallFiles, callId: string): { signal: AbortSignal; end(): void } {
    const watched = { files, controller: new AbortController() }
    this.#watched.set(callId, watched)
    return {
      signal: watched.controller.signal,
      end: () => {
        if (this.#watched.get(callId) === watched) this.#watched.delete(callId)
      },
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#redis.disconnect()
  }

  /** A word on a channel stops nothing: the verdict on the shared storage does. */
  async #look(callId: string): Promise<void> {
    const watched = this.#watched.get(callId)
    if (watched && (await watched.files.answer(callId).catch(() => null))) watched.controller.abort()
  }
}
