import type { JsonSchema } from '@kgent/tools-core'
import type { StandardSchemaWithJSON } from '@mastra/core/schema'

/**
 * A standard schema that says of itself what the core says, and accepts everything: only the core validates, and its
 * answer reaches the model.
 */
export function passThroughSchema(jsonSchema: JsonSchema): StandardSchemaWithJSON<unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'kgent',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
    },
  }
}
