import type { Answer } from './call.ts'

/** The first run of a call that can come again under one framework id. */
export interface FirstRun {
  readonly callId: string
  readonly answer: Promise<Answer>
  settled: boolean
}

const MAX_REMEMBERED = 4_096

/**
 * Answers calls that come again (same framework id, tool and input) and numbers their attempts. Only calls that reached
 * their handler are remembered: a refusal is decided anew. Beyond a bound the oldest finished calls are forgotten.
 */
export class RepeatLedger {
  readonly #first = new Map<string, FirstRun>()
  readonly #attempts = new Map<string, number>()

  /** The number of this attempt, from 1. */
  count(key: string): number {
    const attempt = (this.#attempts.get(key) ?? 0) + 1
    this.#attempts.delete(key)
    this.#attempts.set(key, attempt)
    if (this.#attempts.size > MAX_REMEMBERED) this.#attempts.delete(firstKey(this.#attempts))
    return attempt
  }

  /** The run that a call repeats, if it must not run again. */
  find(key: string, options: { readOnly: boolean; replay: boolean }): FirstRun | undefined {
    const first = this.#first.get(key)
    if (!first) return undefined
    return !first.settled || options.replay || !options.readOnly ? first : undefined
  }

  /** Keeps a call from its start on, so that its twin in the same tick finds it. */
  remember(key: string, callId: string, answer: Promise<Answer>): void {
    const run: FirstRun = { callId, answer, settled: false }
    this.#first.delete(key)
    this.#first.set(key, run)
    void answer.then(({ ran }) => this.#settle(key, run, ran))
  }

  #settle(key: string, run: FirstRun, ran: boolean): void {
    run.settled = true
    if (!ran && this.#first.get(key) === run) this.#first.delete(key)
    if (this.#first.size <= MAX_REMEMBERED) return
    for (const [oldest, { settled }] of this.#first) {
      if (!settled) continue
      this.#first.delete(oldest)
      return
    }
  }
}

function firstKey(map: Map<string, unknown>): string {
  return map.keys().next().value as string
}
