import type { MemoryItem } from '@kgent/contracts'

/** Items of an answer that may be handed on, and how many may not. */
export interface KeptItems {
  items: MemoryItem[]
  /** Items of another scope: the service would have shown somebody else's memory. */
  foreign: number
  /** Items that are none. */
  malformed: number
}

/** Keeps at most `limit` whole items of exactly the scope that was asked for. */
export function keepExactScope(
  answer: readonly unknown[],
  asked: { scope: string; limit: number },
): KeptItems {
  const whole = answer.map(itemOf).filter((item) => item !== null)
  const own = whole.filter(({ scope }) => scope === asked.scope)
  return {
    items: own.slice(0, asked.limit),
    foreign: whole.length - own.length,
    malformed: answer.length - whole.length,
  }
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
