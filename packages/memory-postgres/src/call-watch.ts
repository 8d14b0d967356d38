/** Why a call was given up before the database answered. */
export type GivenUp = 'aborted' | 'timeout'

export class CallGivenUp extends Error {
  readonly why: GivenUp

  constructor(why: GivenUp) {
    super(why)
    this.why = why
  }
}

export interface CallWatch {
  /** The value of `work`, or a rejection with `CallGivenUp` as soon as the signal or the limit says so. */
  race<T>(work: Promise<T>): Promise<T>
  end(): void
}

/** Watches the caller's signal and a time limit in milliseconds over the steps of one call. */
export function watchCall(signal: AbortSignal | undefined, limitMs: number): CallWatch {
  let giveUp: (reason: CallGivenUp) => void = () => {}
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = reject
  })
  givenUp.catch(() => {})
  const onAbort = (): void => giveUp(new CallGivenUp('aborted'))
  const timer = setTimeout(() => giveUp(new CallGivenUp('timeout')), limitMs)
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  return {
    // The watch comes first: a call that is already given up starts no further step's wait.
    race: (work) => Promise.race([givenUp, work]),
    end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}
