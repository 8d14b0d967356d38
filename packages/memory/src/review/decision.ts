import type { MemoryWriteStatus } from '@kgent/contracts'
import { parseObject } from '../candidate.ts'

interface DecisionBase {
  v: 1
  /** ISO 8601, UTC. */
  at: string
  /** Who decided, as the host names them. */
  by: string | null
  /** Key of the group that this is about. */
  key: string
}

/** One line of `memory-decisions.jsonl`. Later lines count over earlier ones; none is ever changed. */
export type MemoryDecision =
  | (DecisionBase & { type: 'accept' | 'reject'; reason: string | null })
  | (DecisionBase & {
      type: 'edit'
      content: string
      tags: string[]
      flagged: string[]
      reason: string | null
    })
  /** Written before an item is sent to the external memory. */
  | (DecisionBase & { type: 'promote.start'; attempt: string; storeKey: string })
  /** Written after the answer. `withdrawn`: nothing was sent. */
  | (DecisionBase & {
      type: 'promote.end'
      attempt: string
      status: MemoryWriteStatus | 'withdrawn'
      id: string | null
      code: string | null
    })

const TYPES = ['accept', 'reject', 'edit', 'promote.start', 'promote.end']
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  edit: ['content'],
  'promote.start': ['attempt', 'storeKey'],
  'promote.end': ['attempt', 'status'],
}

/** Reads a line; null when it is no decision. */
export function parseDecision(line: string): MemoryDecision | null {
  const value = parseObject(line)
  const type = value?.type
  if (value?.v !== 1 || typeof type !== 'string' || !TYPES.includes(type)) return null
  const needed = ['at', 'key', ...(TEXTS[type] ?? [])]
  if (!needed.every((field) => typeof value[field] === 'string')) return null
  if (type === 'edit' && !(isTexts(value.tags) && isTexts(value.flagged))) return null
  return value as unknown as MemoryDecision
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
