import type {
  ApprovalAnswer,
  JsonValue,
  PermissionDecision,
  PermissionGate,
  RunContext,
  ToolCallStatus,
  ToolProgress,
} from '@kgent/contracts'
import type { ApprovalLedger } from './approval-ledger.ts'
import type { BoundResult } from './bound-result.ts'
import type { JsonSchema } from './json-schema.ts'
import type { NormalisedInput } from './normalise-input.ts'
import type { RepeatLedger } from './repeat-ledger.ts'
import type { AnyToolDefinition } from './tool-definition.ts'

/** A definition with what is worked out once for all its calls. */
export interface PreparedTool {
  readonly definition: AnyToolDefinition
  readonly name: string
  readonly inputSchema: AnyToolDefinition['inputSchema']
  readonly shape: JsonSchema
  readonly readOnly: boolean
}

/** Everything that the calls of one set share. */
export interface CallServices {
  readonly context: RunContext
  readonly gate: PermissionGate
  readonly tools: ReadonlyMap<string, PreparedTool>
  readonly approvals: ApprovalLedger
  readonly repeats: RepeatLedger
  /** Aborted when the run closes. */
  readonly closing: AbortSignal
}

/** One call on its way: who asks for what, and when it began. */
export interface Call {
  readonly callId: string
  readonly toolCallId: string | null
  readonly toolName: string
  readonly attempt: number
  /** Identity for repeats and approvals: framework id, tool and input hash. */
  readonly key: string
  readonly input: { sha256: string; bytes: number; shape: JsonValue }
  readonly normalised: NormalisedInput
  readonly startedAt: Date
  /** `performance.now()` at the start. */
  readonly startedTick: number
  readonly options: {
    readonly signal: AbortSignal | undefined
    readonly approval: ApprovalAnswer | undefined
    readonly onProgress: ((progress: ToolProgress) => void) | undefined
    readonly replay: boolean
  }
}

/** How a call ended, before it is recorded. */
export interface Answer extends BoundResult {
  readonly status: ToolCallStatus
  readonly decisions: readonly PermissionDecision[]
  /** Whether the handler was started: only then is the answer kept for calls that come again. */
  readonly ran: boolean
  /** The call whose first result this is. */
  readonly replayOf?: string
}
