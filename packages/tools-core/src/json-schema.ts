import type { JsonObject, JsonValue } from '@kgent/contracts'

/** A JSON Schema document as plain data. */
export type JsonSchema = JsonObject

/** The dialects that hosts ask for. */
export type JsonSchemaTarget = 'draft-07' | 'draft-2020-12' | 'openapi-3.0'

/**
 * `plain`: as the schema library says it. `closed`: objects refuse unknown keys. `strict`: closed, and every property is
 * required, optional ones nullable (what providers with constrained decoding want; the core turns null back into absent).
 */
export type JsonSchemaProfile = 'plain' | 'closed' | 'strict'

export interface JsonSchemaOptions {
  /** Default `closed`. */
  profile?: JsonSchemaProfile
  /** Default `draft-07`. */
  target?: JsonSchemaTarget
}

/** Rewrites a schema for a profile; the input is not changed. */
export function applyProfile(schema: JsonSchema, options: Required<JsonSchemaOptions>): JsonSchema {
  const { $schema: _dialect, ...root } = schema
  if (options.profile === 'plain') return root
  return mapObjects(root, (node) => {
    if (!isObjectSchema(node)) return node
    const closed = closeObject(node)
    return options.profile === 'strict' ? requireAll(closed, options.target) : closed
  }) as JsonSchema
}

/** Whether a schema node describes an object with named properties, or a root without any. */
export function isObjectSchema(node: JsonObject): boolean {
  return node.type === 'object'
}

function closeObject(node: JsonObject): JsonObject {
  const open = node.additionalProperties !== undefined && node.additionalProperties !== false
  return { ...node, properties: node.properties ?? {}, ...(open ? {} : { additionalProperties: false }) }
}

function requireAll(node: JsonObject, target: JsonSchemaTarget): JsonObject {
  const required = new Set(Array.isArray(node.required) ? node.required : [])
  const properties: JsonObject = {}
  for (const [name, property] of Object.entries(node.properties as JsonObject)) {
    const { default: _default, ...rest } = property as JsonObject
    setOwn(properties, name, required.has(name) ? rest : nullable(rest, target))
  }
  return { ...node, properties, required: Object.keys(properties) }
}

function nullable(property: JsonObject, target: JsonSchemaTarget): JsonObject {
  if (target === 'openapi-3.0') return { ...property, nullable: true }
  if (acceptsNull(property)) return property
  if (typeof property.type === 'string' && property.const === undefined) {
    const withNull: JsonObject = { ...property, type: [property.type, 'null'] }
    if (Array.isArray(property.enum)) withNull.enum = [...property.enum, null]
    return withNull
  }
  return { anyOf: [property, { type: 'null' }] }
}

/** Whether a schema node says that null is a value of its own. */
export function acceptsNull(node: JsonObject): boolean {
  if (node.nullable === true || node.const === null) return true
  if (node.type === 'null' || (Array.isArray(node.type) && node.type.includes('null'))) return true
  if (node.type === undefined && node.enum === undefined && node.$ref === undefined && !hasAlternatives(node))
    return node.const === undefined
  return alternativesOf(node).some(acceptsNull)
}

function alternativesOf(node: JsonObject): JsonObject[] {
  return [node.anyOf, node.oneOf].filter(Array.isArray).flat().filter(isPlainObject)
}

function hasAlternatives(node: JsonObject): boolean {
  return Array.isArray(node.anyOf) || Array.isArray(node.oneOf) || Array.isArray(node.allOf)
}

/** Follows a local `$ref` once; anything else is returned as it is. */
export function followRef(node: JsonObject, root: JsonObject): JsonObject {
  if (typeof node.$ref !== 'string' || !node.$ref.startsWith('#')) return node
  let target: JsonValue | undefined = root
  for (const part of node.$ref.slice(1).split('/').filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    target = isPlainObject(target) && Object.hasOwn(target, key) ? target[key] : undefined
  }
  return isPlainObject(target) ? target : node
}

export function isPlainObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const SUBSCHEMAS = new Set([
  'items',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
])
const SUBSCHEMA_LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const SUBSCHEMA_MAPS = new Set([
  'properties',
  '$defs',
  'definitions',
  'patternProperties',
  'dependentSchemas',
])

/** Applies `change` to every subschema, children first. */
function mapObjects(node: JsonObject, change: (node: JsonObject) => JsonObject): JsonObject {
  const copy: JsonObject = {}
  for (const [key, value] of Object.entries(node)) setOwn(copy, key, mapChild(key, value, change))
  return change(copy)
}

function mapChild(key: string, value: JsonValue, change: (node: JsonObject) => JsonObject): JsonValue {
  const visit = (child: JsonValue): JsonValue => (isPlainObject(child) ? mapObjects(child, change) : child)
  if (SUBSCHEMAS.has(key)) return Array.isArray(value) ? value.map(visit) : visit(value)
  if (SUBSCHEMA_LISTS.has(key) && Array.isArray(value)) return value.map(visit)
  if (!SUBSCHEMA_MAPS.has(key) || !isPlainObject(value)) return value
  const mapped: JsonObject = {}
  for (const [name, child] of Object.entries(value)) setOwn(mapped, name, visit(child))
  return mapped
}

/** Sets an own property whatever its name: `__proto__` is a name like any other. */
export function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
