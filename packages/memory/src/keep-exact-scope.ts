import type { MemoryItem } from '@kgent/contracts'

/** Items of an answer that may be handed on, and how many may not. */
export interface KeptItems extends LeftOutItems {
  items: MemoryItem[]
}

export interface LeftOutItems {
  /** Items of another scope: the service would have shown somebody else's memory. */
  foreign: number
  /** Items that are none. */
  malformed: number
}

// A client of this package checks too, for those who use it alone; what it left out must still be counted.
const LEFT_OUT = new WeakMap<readonly unknown[], LeftOutItems>()

/** Keeps at most `limit` whole items of exactly the scope that was asked for. */
export function keepExactScope(
  answer: readonly unknown[],
  asked: { scope: string; limit: number },
): KeptItems {
  const whole = answer.map(itemOf).filter((item) => item !== null)
  const own = whole.filter(({ scope }) => scope === asked.scope)
  const before = LEFT_OUT.get(answer) ?? { foreign: 0, malformed: 0 }
  const items = own.slice(0, asked.limit)
  const leftOut = {
    foreign: before.foreign + whole.length - own.length,
    malformed: before.malformed + answer.length - whole.length,
  }
  LEFT_OUT.set(items, leftOut)
  return { items, ...leftOut }
}

function itemOf(value: unknown): MemoryItem | null {
  if (typeof value !== 'object' || value === null) return null
  const { id, content, scope, score, metadata } = value as Partial<MemoryItem>
  if (typeof id !== 'string' || typeof content !== 'string' || typeof scope !== 'string') return null
  return {
    id,
    content,
    scope,
    score: typeof score === 'number' && Number.isFinite(score) ? score : null,
    metadata: typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? metadata : {},
  }
}
