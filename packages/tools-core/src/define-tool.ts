import { type JsonObject, KgentError } from '@kgent/contracts'
import { isObjectSchema, type JsonSchema, type JsonSchemaTarget } from './json-schema.ts'
import type { AnyToolDefinition, ToolDefinition, ToolSchema } from './tool-definition.ts'

const TOOL_NAME = /^[a-z][a-z0-9_]{0,63}$/

/**
 * Checks a tool where it is written and returns it, frozen and typed.
 *
 * **Throws:** `KgentError` (`definition_invalid`) for a bad name, a missing description or permission list, a schema
 * that cannot say itself as JSON Schema, or whose root is no object.
 */
export function defineTool<I, D extends JsonObject = JsonObject>(
  definition: ToolDefinition<I, D>,
): Readonly<ToolDefinition<I, D>> {
  checkDefinition(definition)
  return Object.freeze({ ...definition })
}

/** The checks of `defineTool`, for definitions that reach `bindTools` without it. */
export function checkDefinition(definition: AnyToolDefinition): void {
  const { name } = definition
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
    throw invalid(
      `Tool name ${JSON.stringify(name)} must match ${TOOL_NAME.source}: lower case, digits and underscores.`,
    )
  }
  if (typeof definition.description !== 'string' || definition.description.trim() === '') {
    throw invalid(`Tool ${name} needs a description: it is all that a model knows of it.`)
  }
  if (typeof definition.handler !== 'function') throw invalid(`Tool ${name} needs a handler function.`)
  if (!Array.isArray(definition.permissions) && typeof definition.permissions !== 'function') {
    throw invalid(`Tool ${name} must say its permissions; a tool that needs none says permissions: [].`)
  }
  inputJsonSchema(definition, 'draft-2020-12')
}

/**
 * The input side of a tool's schema as JSON Schema: what models are shown and what unknown keys are checked against.
 *
 * **Throws:** `KgentError` (`definition_invalid`).
 */
export function inputJsonSchema(
  definition: { name: string; inputSchema: ToolSchema },
  target: JsonSchemaTarget,
): JsonSchema {
  const standard = definition.inputSchema?.['~standard']
  if (typeof standard?.validate !== 'function' || typeof standard.jsonSchema?.input !== 'function') {
    throw invalid(
      `The schema of tool ${definition.name} cannot say itself as JSON Schema. Use zod 4.2 or later, arktype, or fromJsonSchema().`,
    )
  }
  const schema = convert(definition.name, () => standard.jsonSchema.input({ target }) as JsonSchema)
  if (!isObjectSchema(schema)) {
    throw invalid(
      `The schema of tool ${definition.name} must be an object at its root; wrap the value in one named field.`,
    )
  }
  return schema
}

function convert(name: string, toJsonSchema: () => JsonSchema): JsonSchema {
  try {
    return JSON.parse(JSON.stringify(toJsonSchema())) as JsonSchema
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    throw invalid(
      `The schema of tool ${name} has a type that JSON Schema cannot say (${reason}). Take it as text or number and convert it in the handler.`,
    )
  }
}

function invalid(message: string): KgentError {
  return new KgentError('definition_invalid', message)
}
