/** How long the event loop may be held before others get their turn. */
const TURN_MS = 12

export type TurnEnd = 'go' | 'aborted' | 'time'

/** Gives the event loop its turns during long work, and says when to stop. */
export interface Turns {
  /** Whether the last `next` let others have their turn. */
  readonly isNewTurn: boolean
  /** Whether `next` has anything to do: asked often, so that little work costs no promise. */
  isDue(): boolean
  next(): Promise<TurnEnd>
}

export function createTurns(options: { signal?: AbortSignal | undefined; timeoutMs?: number }): Turns {
  const { signal, timeoutMs = Number.POSITIVE_INFINITY } = options
  const began = performance.now()
  let turnBegan = began
  let isNewTurn = false
  return {
    get isNewTurn() {
      return isNewTurn
    },
    isDue() {
      isNewTurn = false
      return signal?.aborted === true || performance.now() - turnBegan > TURN_MS
    },
    async next() {
      isNewTurn = performance.now() - turnBegan > TURN_MS
      if (isNewTurn) {
        await new Promise((resolve) => setImmediate(resolve))
        turnBegan = performance.now()
      }
      if (signal?.aborted) return 'aborted'
      return performance.now() - began > timeoutMs ? 'time' : 'go'
    },
  }
}
