import type { JsonValue } from '@kgent/contracts'

const MAX_DEPTH = 32
const MAX_ENTRIES = 100
const MAX_CHARS = 2_000
const MAX_VALUES = 2_000

// Some readers take U+0085, U+2028 and U+2029 for the end of a line; C1 and direction characters redraw a terminal.
const UNUSUAL = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/**
 * JSON text of any value at all, on one line for every reader. What `JSON.stringify` refuses (BigInt, cycles, throwing
 * getters) is said in words, and what is too long for it is cut.
 */
export function lineText(value: unknown): string {
  const text = stringifyAnything(value)
  return isAscii(text) ? text : text.replace(UNUSUAL, escapeCharacter)
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length && !text.includes('\u007f')
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function stringifyAnything(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return JSON.stringify(plainValue(value, { within: [], budget: { values: MAX_VALUES } }))
  }
}

interface Walk {
  within: readonly object[]
  /** Shared by the whole walk, so that values that hold each other many times come to an end. */
  budget: { values: number }
}

function plainValue(value: unknown, walk: Walk): JsonValue {
  try {
    if (typeof value === 'bigint') return value.toString().slice(0, 100)
    if (typeof value === 'string') return value.slice(0, MAX_CHARS)
    if (typeof value === 'boolean' || value === null) return value
    if (typeof value === 'number') return Number.isFinite(value) ? value : null
    if (typeof value !== 'object') return `[${typeof value}]`
    if (walk.within.includes(value)) return '[cycle]'
    walk.budget.values -= 1
    if (walk.within.length >= MAX_DEPTH || walk.budget.values < 0) return '[too deep]'
    return plainObject(value, { ...walk, within: [...walk.within, value] })
  } catch {
    return '[unreadable]'
  }
}

function plainObject(value: object, walk: Walk): JsonValue {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((item) => plainValue(item, walk))
  const keys = Object.keys(value).slice(0, MAX_ENTRIES)
  return Object.fromEntries(keys.map((key) => [key.slice(0, MAX_CHARS), plainField({ value, key }, walk)]))
}

function plainField({ value, key }: { value: object; key: string }, walk: Walk): JsonValue {
  try {
    return plainValue((value as Record<string, unknown>)[key], walk)
  } catch {
    return '[unreadable]'
  }
}
