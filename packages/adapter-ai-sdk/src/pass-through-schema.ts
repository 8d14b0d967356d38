import type { JsonSchema } from '@kgent/tools-core'

/**
 * A schema as the SDK's own `jsonSchema()` makes it, built from the symbols that every major looks for, so that nothing
 * is imported from `ai` at run time. It accepts everything: only the core validates, and its answer reaches the model.
 */
export function passThroughSchema(jsonSchema: JsonSchema): object {
  return {
    [Symbol.for('vercel.ai.schema')]: true,
    // AI SDK 5 looks for this one as well.
    [Symbol.for('vercel.ai.validator')]: true,
    _type: undefined,
    jsonSchema,
    validate: (value: unknown) => ({ success: true, value: asObject(value) }),
  }
}

/** What the model sent, for the core: undoes the wrapping of what was no object. */
export function inputAsSent(input: unknown): unknown {
  return isObject(input) && Object.keys(input).length === 1 && '$raw' in input ? input.$raw : input
}

/** The SDK sends calls back to the provider in the history, and providers refuse a whole request for one that is no object. */
function asObject(value: unknown): object {
  return isObject(value) ? value : { $raw: value }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
