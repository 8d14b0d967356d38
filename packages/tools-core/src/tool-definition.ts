import type {
  CallContext,
  JsonObject,
  Permission,
  PermissionRequest,
  RunContext,
  ToolResult,
} from '@kgent/contracts'
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'

/** A schema that can both check a value and say itself as JSON Schema: zod ≥ 4.2, arktype, `fromJsonSchema()` … */
export type ToolSchema<I = unknown> = {
  readonly '~standard': StandardSchemaV1.Props<unknown, I> & StandardJSONSchemaV1.Props<unknown, I>
}

/** What a tool says about its own behaviour. Hints for hosts and people; the policy does not rely on them. */
export interface ToolAnnotations {
  readOnly?: boolean
  destructive?: boolean
  idempotent?: boolean
  openWorld?: boolean
}

/**
 * What a call needs: names for “the permission as such”, or a function of the parsed input where a path, scope or
 * resource matters. A call that needs nothing says `[]`.
 */
export type ToolPermissions<I> =
  | readonly Permission[]
  | ((input: I, context: RunContext) => readonly PermissionRequest[])

/** A tool, written once: nothing in it knows a framework. */
export interface ToolDefinition<I = unknown, D extends JsonObject = JsonObject> {
  /** `^[a-z][a-z0-9_]{0,63}$`, unique in a set. Models read it. */
  name: string
  /** For people. Default: the name. */
  title?: string
  description: string
  inputSchema: ToolSchema<I>
  permissions: ToolPermissions<I>
  annotations?: ToolAnnotations
  inputExamples?: readonly JsonObject[]
  /** Bound of `data` in bytes for a tool that bounds its own results. Default: the run's `maxInlineBytes`. */
  maxInlineBytes?: number
  handler(input: I, context: CallContext): ToolResult<D> | Promise<ToolResult<D>>
}

/** A definition whose input type is not known here; what collections of tools hold. */
// biome-ignore lint/suspicious/noExplicitAny: the handler's input is checked by its own schema before every call
export type AnyToolDefinition = ToolDefinition<any, any>
