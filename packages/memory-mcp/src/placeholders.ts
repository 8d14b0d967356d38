import type { JsonObject, JsonValue } from '@kgent/contracts'

const PLACEHOLDER = /\{([a-z]+)\}/g

/** The names in braces in all texts of the template. */
export function placeholdersIn(template: JsonValue): string[] {
  if (typeof template === 'string') return [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap(placeholdersIn)
}

/** The template with its names replaced by values. A name alone in a text keeps the value's type; values are not searched. */
export function fillIn(template: JsonValue, values: JsonObject): JsonValue {
  if (typeof template === 'string') return fillInText(template, values)
  if (Array.isArray(template)) return template.map((part) => fillIn(part, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, part]) => [name, fillIn(part, values)]))
}

function fillInText(template: string, values: JsonObject): JsonValue {
  const [, alone] = /^\{([a-z]+)\}$/.exec(template) ?? []
  if (alone !== undefined) return values[alone] ?? null
  return template.replace(PLACEHOLDER, (_all, name: string) => asText(values[name] ?? null))
}

function asText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
