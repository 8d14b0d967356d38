import type { AnyToolDefinition, ToolSchema } from '@kgent/tools-core'

/** The input of a remote call: as it was given, for the worker, and as it was parsed, for the permissions. */
export interface CarriedInput {
  given: unknown
  parsed: unknown
}

/**
 * A schema that checks like the tool's own and keeps what it was given. The worker parses again: what a schema makes of
 * its input (a date, a default of the day) need not be valid input itself.
 */
export function carryInput(schema: AnyToolDefinition['inputSchema']): ToolSchema<CarriedInput> {
  const standard = schema['~standard']
  return {
    '~standard': {
      version: 1,
      vendor: standard.vendor,
      async validate(given) {
        const checked = await standard.validate(given)
        return checked.issues ? checked : { value: { given, parsed: checked.value } }
      },
      jsonSchema: standard.jsonSchema,
    },
  }
}
