import type { JsonValue } from '@kgent/contracts'

const MAX_DEPTH = 32
const MAX_ENTRIES = 1_000

// Some readers take U+0085, U+2028 and U+2029 for the end of a line; C1 and direction characters redraw a terminal.
const UNUSUAL = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/
const EACH_UNUSUAL = new RegExp(UNUSUAL, 'g')

/**
 * JSON text of any value at all, on one line for every reader. What `JSON.stringify` refuses (BigInt, cycles, throwing
 * getters) is said in words.
 */
export function lineText(value: unknown): string {
  const text = stringifyAnything(value)
  return UNUSUAL.test(text) ? text.replace(EACH_UNUSUAL, escapeCharacter) : text
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function stringifyAnything(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return JSON.stringify(plainValue(value, []))
  }
}

function plainValue(value: unknown, within: readonly object[]): JsonValue {
  try {
    if (typeof value === 'bigint') return value.toString().slice(0, 100)
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
    if (typeof value === 'number') return Number.isFinite(value) ? value : null
    if (typeof value !== 'object') return `[${typeof value}]`
    if (within.includes(value)) return '[cycle]'
    if (within.length >= MAX_DEPTH) return '[too deep]'
    return plainObject(value, [...within, value])
  } catch {
    return '[unreadable]'
  }
}

function plainObject(value: object, within: readonly object[]): JsonValue {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((item) => plainValue(item, within))
  const keys = Object.keys(value).slice(0, MAX_ENTRIES)
  return Object.fromEntries(keys.map((key) => [key, plainField(value, key, within)]))
}

function plainField(value: object, key: string, within: readonly object[]): JsonValue {
  try {
    return plainValue((value as Record<string, unknown>)[key], within)
  } catch {
    return '[unreadable]'
  }
}
