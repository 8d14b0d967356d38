import type { JSONValue } from '@strands-agents/sdk'

/** Input as it may stand in the history: providers refuse a whole request for a call whose input is no object. */
export function asObject(input: JSONValue): JSONValue {
  return isObject(input) ? input : { $raw: input }
}

/** What the model sent, for the core: undoes the wrapping of what was no object. */
export function inputAsSent(input: unknown): unknown {
  return isObject(input) && Object.keys(input).length === 1 && '$raw' in input ? input.$raw : input
}

function isObject(value: unknown): value is Record<string, JSONValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
