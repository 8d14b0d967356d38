import type { JsonObject } from '@kgent/contracts'
import type { DataFormat } from './data-files.ts'

const MAX_FIELDS = 12
/** A field of delimited text, quoted or not, for RE2. */
const CELL = { csv: '(?:"(?:[^"]|"")*"|[^,"]*)', tsv: '[^\\t]*' }
const SEPARATOR = { csv: ',', tsv: '\\t' }

/** Names of the fields, from the first lines of a file; at most a dozen, which is what a digest shows. */
export function fieldsIn(head: string, format: DataFormat): string[] {
  if (format === 'csv' || format === 'tsv') {
    const [first = ''] = head.replace(/^\ufeff/, '').split(/\r?\n/)
    return cells(first, format === 'csv' ? ',' : '\t').slice(0, MAX_FIELDS)
  }
  const names = new Set(recordsIn(head, format).flatMap((record) => Object.keys(record)))
  return [...names].slice(0, MAX_FIELDS)
}

/** The records of a JSON document that is a list of objects, or of JSON Lines; lines that do not parse are left out. */
export function recordsIn(text: string, format: DataFormat): JsonObject[] {
  const values = format === 'json' ? [parse(text)].flat() : text.split('\n').map(parse)
  return values.filter((value): value is JsonObject => typeof value === 'object' && value !== null)
}

/** The pattern that finds the rows in which a field is empty; null where it cannot be told line by line. */
export function emptyFieldPattern(
  fields: readonly string[],
  index: number,
  format: DataFormat,
): string | null {
  if (format === 'json') return null
  if (format === 'jsonl') return `"${escapeForRe2(fields[index] ?? '')}"\\s*:\\s*(?:null|"")`
  const [cell, separator] = [CELL[format], SEPARATOR[format]]
  return `^(?:${cell}${separator}){${index}}(?:"")?(?:${separator}|\\s*$)`
}

function cells(line: string, separator: ',' | '\t'): string[] {
  const found: string[] = []
  let [cell, isQuoted] = ['', false]
  for (const char of line) {
    if (char === '"' && separator === ',') isQuoted = !isQuoted
    else if (char === separator && !isQuoted) {
      found.push(cell)
      cell = ''
    } else cell += char
  }
  return [...found, cell].map((name) => name.trim())
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function escapeForRe2(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
