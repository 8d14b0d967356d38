/** How a piece of work with a time limit ended. */
export type TimedOutcome<T> =
  | { kind: 'done'; value: T }
  | { kind: 'thrown'; thrown: unknown }
  | { kind: 'timeout' }
  | { kind: 'aborted' }

/** A time limit for several pieces of work together, and the caller's signal. */
export interface Deadline {
  /** Passes when the limit is reached or the caller cancels. */
  readonly signal: AbortSignal
  /** Waits for the work no longer than the limit, whether or not it obeys the signal. */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<TimedOutcome<T>>
  /** Ends the timer. */
  end(): void
}

/** Starts a time limit in milliseconds. */
export function startDeadline(timeoutMs: number, signal?: AbortSignal): Deadline {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  const either = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal
  const passed = () => (signal?.aborted ? ('aborted' as const) : ('timeout' as const))
  return {
    signal: either,
    end: () => clearTimeout(timer),
    run: (work) =>
      new Promise((resolve) => {
        const stop = () => resolve({ kind: passed() })
        if (either.aborted) return stop()
        either.addEventListener('abort', stop, { once: true })
        Promise.resolve()
          .then(() => work(either))
          .then(
            (value) => resolve({ kind: 'done', value }),
            (thrown) => resolve(either.aborted ? { kind: passed() } : { kind: 'thrown', thrown }),
          )
          .finally(() => either.removeEventListener('abort', stop))
      }),
  }
}
