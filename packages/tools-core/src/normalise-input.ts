import type { JsonObject } from '@kgent/contracts'
import { acceptsNull, followRef, isPlainObject, type JsonSchema, setOwn } from './json-schema.ts'

export type NormalisedInput = { ok: true; value: JsonObject } | { ok: false; problems: string[] }

/**
 * The one border of all adapters: whatever a framework hands over becomes an object, or a list of problems that lead to
 * a right second try. Text that holds a JSON object becomes that object; nothing (absent, null, empty text) becomes `{}`;
 * null on an optional field is absent; unknown keys and numbers sent as text are named.
 */
export function normaliseInput(raw: unknown, schema: JsonSchema): NormalisedInput {
  const value = parseText(raw)
  if (!isPlainObject(value))
    return { ok: false, problems: [`expected an object with ${describeFields(schema)}`] }
  const problems: string[] = []
  const cleaned = cleanObject(value, { schema, root: schema, path: '', problems })
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: cleaned }
}

function parseText(raw: unknown): unknown {
  if (raw === undefined || raw === null) return {}
  if (typeof raw !== 'string') return raw
  if (raw.trim() === '') return {}
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

interface Place {
  schema: JsonObject
  root: JsonSchema
  /** Dotted path for messages; empty at the root. */
  path: string
  problems: string[]
}

function cleanObject(value: JsonObject, place: Place): JsonObject {
  const schema = followRef(place.schema, place.root)
  if (!isPlainObject(schema.properties)) return value
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const closed = schema.additionalProperties === undefined || schema.additionalProperties === false
  const cleaned: JsonObject = {}
  for (const key of Object.keys(value)) {
    const property = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
    const path = place.path === '' ? key : `${place.path}.${key}`
    if (isPlainObject(property)) {
      const item = value[key]
      if (item === null && !required.has(key) && !acceptsNull(property)) continue
      setOwn(cleaned, key, cleanValue(item, { ...place, schema: property, path }))
    } else if (closed) {
      place.problems.push(`unknown field ${nameable(path)}: use only ${describeFields(schema)}`)
    } else setOwn(cleaned, key, value[key])
  }
  return cleaned
}

function cleanValue(value: unknown, place: Place): unknown {
  const schema = followRef(place.schema, place.root)
  if (typeof value === 'string' && isNumberSchema(schema)) {
    place.problems.push(numberAsText(value, place.path))
    return value
  }
  if (Array.isArray(value) && isPlainObject(schema.items)) {
    const items = schema.items
    return value.map((item, index) =>
      cleanValue(item, { ...place, schema: items, path: `${place.path}[${index}]` }),
    )
  }
  return isPlainObject(value) ? cleanObject(value, { ...place, schema }) : value
}

function isNumberSchema(schema: JsonObject): boolean {
  return schema.type === 'integer' || schema.type === 'number'
}

/** Problems are logged: a field is named where it can be a name, and what else stands in its place is not repeated. */
function nameable(path: string): string {
  return /^[\w.$[\]-]{1,60}$/.test(path) ? JSON.stringify(path) : 'of another name'
}

/** Only a short number is repeated: a long one may be that of a card or a phone. */
function numberAsText(value: string, path: string): string {
  const plain = value.length <= 10 && /^-?\d+(\.\d+)?$/.test(value)
  return plain
    ? `${path}: send the number ${value}, not the text "${value}"`
    : `${path}: send a number, not text`
}

/** `the fields path (string), offset (integer, optional)` */
function describeFields(schema: JsonSchema): string {
  const properties = isPlainObject(schema.properties) ? schema.properties : {}
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const names = Object.entries(properties).map(([name, property]) => {
    const type = isPlainObject(property) && typeof property.type === 'string' ? property.type : 'value'
    return `${name} (${type}${required.has(name) ? '' : ', optional'})`
  })
  return names.length === 0 ? 'no fields: {}' : `the fields ${names.join(', ')}`
}
