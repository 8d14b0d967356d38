import type { JsonValue } from '@kgent/contracts'
import { setOwn } from './json-schema.ts'

export interface JsonSafe {
  value: JsonValue
  /** What was replaced, e.g. `when (Date)`. Empty when the value was JSON already. */
  replaced: string[]
}

const MAX_DEPTH = 64
const MAX_REPLACED = 20

/**
 * A copy that survives `JSON.parse(JSON.stringify(copy))` unchanged, with a list of what had to be replaced: dates,
 * bigints and bytes become text, what JSON has no word for becomes null.
 */
export function toJsonSafe(value: unknown): JsonSafe {
  const replaced: string[] = []
  return { value: convert(value, { path: '', replaced, above: new Set() }), replaced }
}

interface Place {
  path: string
  replaced: string[]
  above: Set<object>
}

function convert(value: unknown, place: Place): JsonValue {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string')
    return value.isWellFormed() ? value : replace(value.toWellFormed(), 'lone surrogate', place)
  if (typeof value === 'number')
    return Number.isFinite(value) ? (Object.is(value, -0) ? 0 : value) : replace(null, String(value), place)
  if (typeof value === 'bigint') return replace(String(value), 'bigint', place)
  if (typeof value !== 'object') return replace(null, typeof value, place)
  return convertObject(value, place)
}

function convertObject(value: object, place: Place): JsonValue {
  if (place.above.has(value)) return replace(null, 'circular', place)
  if (place.above.size >= MAX_DEPTH) return replace(null, 'too deep', place)
  if (value instanceof Date)
    return replace(Number.isNaN(value.getTime()) ? null : value.toISOString(), 'Date', place)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return replace(`${value.byteLength} bytes`, 'bytes', place)
  place.above.add(value)
  const copy = convertMembers(value, place)
  place.above.delete(value)
  return copy
}

function convertMembers(value: object, place: Place): JsonValue {
  if (Array.isArray(value))
    return value.map((item, index) => convert(item, { ...place, path: `${place.path}[${index}]` }))
  if (value instanceof Map) return replace(convert(Object.fromEntries(value), place), 'Map', place)
  if (value instanceof Set) return replace(convert([...value], place), 'Set', place)
  const copy = {}
  for (const key of Object.keys(value)) {
    const path = place.path === '' ? key : `${place.path}.${key}`
    const item = readField(value, key, { ...place, path })
    if (item === undefined) note('undefined', { ...place, path })
    else setOwn(copy, key, convert(item, { ...place, path }))
  }
  return copy
}

function readField(value: object, key: string, place: Place): unknown {
  try {
    return (value as Record<string, unknown>)[key]
  } catch {
    note('throwing getter', place)
    return null
  }
}

function replace(substitute: JsonValue, was: string, place: Place): JsonValue {
  note(was, place)
  return substitute
}

function note(was: string, place: Place): void {
  if (place.replaced.length < MAX_REPLACED)
    place.replaced.push(`${place.path.slice(0, 80) || 'data'} (${was})`)
}
