import type { JsonObject } from '@kgent/contracts'
import { boundLine, isTooLong } from './bound-line.ts'
import { lineText } from './line-text.ts'
import type { Redactor } from './redactor.ts'

/** Names that are written as they were given: lines are found and paired by them. */
const FIXED = ['runId', 'callId', 'replayOf', 'reference', 'prev'] as const

/** Makes the text of a line: one line whatever the value is, without secrets, at most `MAX_LINE_BYTES` long. */
export function finishLine(value: object, redactor: Redactor): string {
  const line = lineText(value)
  const clean = redactor.suspects(line) ? withoutSecrets(line, redactor) : line
  return isTooLong(clean) ? boundLine(clean) : clean
}

function withoutSecrets(line: string, redactor: Redactor): string {
  return lineText(redactLine(JSON.parse(line), redactor))
}

/** Keys are masked where a tool or a model chose them (shape, details, data), texts everywhere. */
function redactLine(line: JsonObject, redactor: Redactor): JsonObject {
  const masked = redactor.texts(line)
  for (const name of FIXED) if (line[name] !== undefined) masked[name] = line[name]
  if (isObject(line.data)) masked.data = redactor.value(line.data)
  maskWithin({ line, masked, part: 'input', field: 'shape' }, redactor)
  maskWithin({ line, masked, part: 'error', field: 'details' }, redactor)
  return masked
}

interface Place {
  line: JsonObject
  masked: JsonObject
  part: string
  field: string
}

function maskWithin({ line, masked, part, field }: Place, redactor: Redactor): void {
  const given = line[part]
  const held = masked[part]
  if (!isObject(given) || !isObject(held) || given[field] === undefined) return
  held[field] = redactor.value(given[field])
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
