import type { Actor } from '@kgent/contracts'

/** One line of `candidate-memory.jsonl`: a text that an agent proposed, with what kgent knows about how it came about. */
export interface MemoryCandidate {
  v: 1
  id: string
  /** Equal texts of one scope have equal keys, in whatever run. */
  key: string
  runId: string | null
  callId: string | null
  tool: string | null
  actor: Actor | null
  /** The model that called the tool, where the host says so. */
  model: string | null
  /** ISO 8601, UTC. */
  at: string
  scope: string
  tags: string[]
  content: string
  /** Kinds of secrets that the text seems to hold; empty when none. */
  flagged: string[]
}

/** Reads a line; null when it is no candidate. */
export function parseCandidate(line: string): MemoryCandidate | null {
  const value = parseObject(line)
  if (value?.v !== 1 || !hasTexts(value, ['id', 'key', 'at', 'scope', 'content'])) return null
  const textOrNull = (key: string) => (typeof value[key] === 'string' ? (value[key] as string) : null)
  return {
    v: 1,
    id: value.id as string,
    key: value.key as string,
    runId: textOrNull('runId'),
    callId: textOrNull('callId'),
    tool: textOrNull('tool'),
    actor: actorOf(value.actor),
    model: textOrNull('model'),
    at: value.at as string,
    scope: value.scope as string,
    tags: textsOf(value.tags),
    content: value.content as string,
    flagged: textsOf(value.flagged),
  }
}

/** A line of JSON as an object; null when it is none. */
export function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

function hasTexts(value: Record<string, unknown>, keys: readonly string[]): boolean {
  return keys.every((key) => typeof value[key] === 'string')
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function actorOf(value: unknown): Actor | null {
  if (typeof value !== 'object' || value === null) return null
  const { id, kind } = value as { id?: unknown; kind?: unknown }
  if (typeof id !== 'string') return null
  return typeof kind === 'string' ? { id, kind } : { id }
}
