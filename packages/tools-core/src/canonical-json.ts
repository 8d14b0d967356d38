import { hash } from 'node:crypto'
import type { JsonValue } from '@kgent/contracts'

/** JSON text with sorted keys: equal values have equal texts. Values that JSON cannot say are named, never thrown on. */
export function canonicalJson(value: unknown): string {
  try {
    return JSON.stringify(sortKeys(value, 0)) ?? 'null'
  } catch {
    return JSON.stringify(`unprintable ${typeof value}`)
  }
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

const MAX_DEPTH = 64

function sortKeys(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return `bigint ${value}`
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return 'too deep'
  if (Array.isArray(value)) return value.map((item) => sortKeys(item, depth + 1))
  const sorted: [string, unknown][] = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, item]) => [key, sortKeys(item, depth + 1)])
  return Object.fromEntries(sorted)
}

const MAX_SHAPE_KEYS = 32

/**
 * The form of a value without its content, for the record: `{ path: 'string(12)', edits: 'array(3)' }`.
 * Names of fields are kept (bounded), values are not.
 */
export function shapeOf(value: unknown): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return shapeOfField(value)
  const keys = Object.keys(value)
  const shape: [string, JsonValue][] = keys
    .slice(0, MAX_SHAPE_KEYS)
    .map((key) => [key.slice(0, 64), shapeOfField((value as Record<string, unknown>)[key])])
  if (keys.length > MAX_SHAPE_KEYS) shape.push(['…', `${keys.length - MAX_SHAPE_KEYS} more`])
  return Object.fromEntries(shape)
}

function shapeOfField(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `string(${value.length})`
  if (Array.isArray(value)) return `array(${value.length})`
  if (typeof value === 'object') return `object(${Object.keys(value).length})`
  return typeof value
}
