/**
 * One after the other, for work on the same thing: workers do not know of each other, so two changes of one file would
 * run at once and one could be lost. The sender is the only one that places calls of its run.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs `work` when all earlier work on any of these keys has ended. */
  async take<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = keys.map((key) => this.#last.get(key))
    const mine = Promise.allSettled(before).then(work)
    for (const key of keys) this.#last.set(key, mine)
    try {
      return await mine
    } finally {
      for (const key of keys) if (this.#last.get(key) === mine) this.#last.delete(key)
    }
  }
}
