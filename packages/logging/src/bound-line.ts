import type { JsonObject, JsonValue } from '@kgent/contracts'
import { lineText } from './line-text.ts'

/** Longest line, in bytes, with its newline. */
export const MAX_LINE_BYTES = 16 * 1024

interface Bounds {
  chars: number
  items: number
  fields: number
  depth: number
}

// Tried in this order until the line fits. No object of the schemas has more than 8 fields of its own.
const BOUNDS: readonly Bounds[] = [
  { chars: 2_000, items: 40, fields: 60, depth: 6 },
  { chars: 500, items: 20, fields: 40, depth: 5 },
  { chars: 200, items: 8, fields: 20, depth: 4 },
  { chars: 100, items: 4, fields: 10, depth: 3 },
  { chars: 40, items: 1, fields: 8, depth: 3 },
]

const SHA256 = /^[0-9a-f]{64}$/
const MAX_OWN_CHARS = 200

/** Whether a line is longer than `MAX_LINE_BYTES`, its newline counted. */
export function isTooLong(line: string): boolean {
  if (line.length * 3 < MAX_LINE_BYTES) return false
  return line.length >= MAX_LINE_BYTES || Buffer.byteLength(line) >= MAX_LINE_BYTES
}

/** Cuts long texts, lists and nested objects until the line fits; `…` marks what was cut, `cut` says how long it was. */
export function boundLine(line: string): string {
  const cut = Buffer.byteLength(line)
  const { prev = null, ...fields } = JSON.parse(line) as JsonObject
  for (const bounds of BOUNDS) {
    const kept = Object.entries(fields).map(([key, value]) => [key, boundField(value, bounds)])
    const shorter = lineText({ ...Object.fromEntries(kept), cut, prev })
    if (!isTooLong(shorter)) return shorter
  }
  throw new RangeError('A line has too many fields to be cut to size.')
}

function boundField(value: JsonValue, bounds: Bounds): JsonValue {
  const chars = Math.max(bounds.chars, MAX_OWN_CHARS)
  return typeof value === 'string' ? cutText(value, chars) : boundValue(value, bounds, 1)
}

function boundValue(value: JsonValue, bounds: Bounds, depth: number): JsonValue {
  if (typeof value === 'string') return SHA256.test(value) ? value : cutText(value, bounds.chars)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    if (depth >= bounds.depth) return []
    return value.slice(0, bounds.items).map((item) => boundValue(item, bounds, depth + 1))
  }
  if (depth >= bounds.depth) return { '…': 'cut' }
  const entries = Object.entries(value)
  const shorter = entries
    .slice(0, bounds.fields)
    .map(([key, held]) => [cutText(key, bounds.chars), boundValue(held, bounds, depth + 1)])
  if (entries.length > bounds.fields) shorter.push(['…', `${entries.length - bounds.fields} more`])
  return Object.fromEntries(shorter) as JsonObject
}

function cutText(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars - 1).toWellFormed()}…`
}
