import type { ApprovalAnswer, JsonObject, PermissionEffect, ToolProgress, ToolResult } from '@kgent/contracts'
import type { JsonSchema, JsonSchemaOptions } from './json-schema.ts'
import type { ToolAnnotations, ToolSchema } from './tool-definition.ts'

export interface DecideOptions {
  /** The framework's own id of the call. */
  toolCallId?: string | undefined
  /** The framework asks again about a call it has asked about before (a resumed run): no new ask is opened. */
  replay?: boolean | undefined
}

/** What a framework needs to know before it runs a call, e.g. to show its own approval dialogue. */
export interface CallForecast {
  decision: PermissionEffect
  reason: string | null
}

export interface CallOptions {
  /** The framework's own id of the call; a call that comes again under one id is not run twice. */
  toolCallId?: string | undefined
  signal?: AbortSignal | undefined
  /** A person's answer that the framework collected. It counts only for a call that `decide` asked about. */
  approval?: ApprovalAnswer | undefined
  onProgress?: ((progress: ToolProgress) => void) | undefined
  /** The framework replays a finished call: answer from its first result. */
  replay?: boolean | undefined
}

/**
 * A tool as an adapter sees it, and all that it sees: there is no way from here to the bare handler.
 * **Contract:** `decide` and `call` never reject.
 */
export interface BoundTool<Name extends string = string, I = unknown> {
  readonly name: Name
  readonly title: string
  readonly description: string
  readonly annotations: Readonly<ToolAnnotations>
  readonly inputExamples: readonly JsonObject[]
  readonly inputSchema: ToolSchema<I>
  jsonSchema(options?: JsonSchemaOptions): JsonSchema
  /** What the policy says to this input, without running anything. `ask` is remembered for the approval that follows. */
  decide(rawInput: unknown, options?: DecideOptions): Promise<CallForecast>
  call(rawInput: unknown, options?: CallOptions): Promise<ToolResult>
}
