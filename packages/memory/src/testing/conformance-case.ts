import type { MemoryAbilities } from '../memory-abilities.ts'

/** One thing that a client must get right, for any test runner. */
export interface ConformanceCase {
  /** Stable, for looking it up: `memory/isolation/prefix`. */
  readonly id: string
  /** A sentence about behaviour. */
  readonly name: string
  /** Abilities without which it does not apply. */
  readonly needs: readonly (keyof MemoryAbilities)[]
  /**
   * Rejects with an assertion that says what is wrong. `skip` is called with the reason where the client declares that it
   * cannot do this; a runner's own context will do: `it(c.name, c.run)`.
   */
  run(skip?: unknown): Promise<void>
}

/** Tells a runner that a case does not apply; `skip` is a context that has the function, or the function. */
export function tellSkipped(skip: unknown, reason: string): void {
  // The context first: that of vitest is a function too.
  const context = skip as { skip?: unknown } | null | undefined
  if (typeof context?.skip === 'function') context.skip(reason)
  else if (typeof skip === 'function') skip(reason)
}
