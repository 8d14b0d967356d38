import type { JsonObject, JsonValue } from '@kgent/contracts'

/** The value at a path such as `result.items` or `items.0`; the value itself for `''`; undefined where nothing is. */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  let here = value
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined
    here = (here as JsonObject)[name]
  }
  return here
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
