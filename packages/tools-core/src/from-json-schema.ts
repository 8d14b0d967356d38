import type { JsonObject } from '@kgent/contracts'
import { KgentError } from '@kgent/contracts'
import { isPlainObject, type JsonSchema } from './json-schema.ts'
import type { ToolSchema } from './tool-definition.ts'

/** Checks a value; an empty list means that it is valid. */
export type JsonSchemaValidator = (
  value: unknown,
) => readonly { message: string; path?: readonly (string | number)[] }[]

/**
 * A tool schema from plain JSON Schema, for tools that are made at run time (from a catalogue, another protocol …).
 * `validate` checks values: `ajvValidator(ajv, schema)` wraps Ajv; any other library fits in one function.
 *
 * **Throws:** `KgentError` (`definition_invalid`) when the schema is no object schema or no validator is given.
 */
export function fromJsonSchema<I extends JsonObject = JsonObject>(
  schema: JsonSchema,
  validate: JsonSchemaValidator,
): ToolSchema<I> {
  if (!isPlainObject(schema) || schema.type !== 'object') {
    throw new KgentError(
      'definition_invalid',
      'fromJsonSchema needs a schema whose root says type: "object".',
    )
  }
  if (typeof validate !== 'function') {
    throw new KgentError(
      'definition_invalid',
      'fromJsonSchema needs a validator: input is never run unchecked. Use ajvValidator(ajv, schema).',
    )
  }
  return {
    '~standard': {
      version: 1,
      vendor: 'kgent',
      validate: (value) => {
        const issues = validate(value)
        return issues.length > 0 ? { issues: [...issues] } : { value: value as I }
      },
      jsonSchema: { input: () => structuredClone(schema), output: () => structuredClone(schema) },
    },
  }
}

/** The part of an Ajv instance that is used here. */
export interface AjvLike {
  compile(schema: object): ((value: unknown) => unknown) & {
    errors?: readonly { message?: string; instancePath?: string }[] | null
  }
}

/** A validator for `fromJsonSchema` from an Ajv instance of the caller's. */
export function ajvValidator(ajv: AjvLike, schema: JsonSchema): JsonSchemaValidator {
  const check = ajv.compile(schema)
  return (value) => {
    if (check(value) === true) return []
    return (check.errors ?? []).map(({ message, instancePath }) => ({
      message: message ?? 'is not valid',
      path: (instancePath ?? '').split('/').filter(Boolean),
    }))
  }
}
