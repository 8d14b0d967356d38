import type { MemoryClient } from '@kgent/contracts'

/** What a client says that it can do. What is absent is not relied upon. */
export interface MemoryAbilities {
  /** What was written can be recalled. False for clients that only hold items for review, or nothing. */
  stores?: boolean
  /** Two writes with one key are one item, also when the first answer was lost: trying again is safe. */
  idempotencyKeys?: boolean
  /** What is given as `metadata` comes back with the item. */
  metadata?: boolean
}

/** A client that declares its abilities, and one that holds something open. */
export interface DescribedMemoryClient extends MemoryClient {
  readonly supports?: MemoryAbilities
  /** Gives back what it holds open. Closing twice is fine. */
  close?(): Promise<void>
}

/** Whether a write may be sent again with the same key. */
export function hasIdempotencyKeys(client: MemoryClient): boolean {
  return (client as DescribedMemoryClient).supports?.idempotencyKeys === true
}
