/** A value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject

/** An object of JSON values: what tools return in `data` and what logs hold. */
export interface JsonObject {
  [key: string]: JsonValue
}
