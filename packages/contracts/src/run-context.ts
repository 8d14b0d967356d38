import type { Approver } from './approval.ts'
import type { ArtifactStore } from './artifact-store.ts'
import type { JsonObject } from './json.ts'
import type { MemoryClient } from './memory-client.ts'
import type { EventRecorder } from './run-event.ts'
import type { Sandbox } from './sandbox.ts'
import type { SkillRegistry } from './skill-registry.ts'
import type { ToolLogger } from './tool-call-record.ts'

/** On whose behalf the run acts; stamped on records and memory candidates. */
export interface Actor {
  id: string
  /** e.g. `user`, `service`. */
  kind?: string
}

/** Bounds of a call, in bytes and milliseconds. */
export interface ToolLimits {
  /** Results larger than this go to an artifact. Default 50 KiB. */
  maxInlineBytes: number
  /** Default 60,000. */
  callTimeoutMs: number
  /** How long a person is waited for; no answer is a “no”. Default 600,000. */
  approvalTimeoutMs?: number
}

/** The controlled interfaces of one run: all that tools act through. */
export interface RunContext {
  readonly runId: string
  readonly actor: Actor | null
  readonly sandbox: Sandbox
  readonly artifacts: ArtifactStore
  readonly skills: SkillRegistry
  readonly memory: MemoryClient
  readonly logger: ToolLogger
  readonly events: EventRecorder
  readonly approver?: Approver
  readonly limits: ToolLimits
}

/** What a long call says about itself; shown live and recorded as `tool.call.progress`. */
export interface ToolProgress {
  message: string
  /** Counts only; no content. */
  data?: JsonObject
}

/**
 * What a handler gets: the run's interfaces, and those of this one call.
 * `sandbox` asks the policy about every path that it opens on behalf of this call.
 */
export interface CallContext extends RunContext {
  readonly callId: string
  readonly toolCallId: string | null
  readonly tool: string
  readonly attempt: number
  /** Aborted when the caller cancels, the run closes or the time limit is reached. */
  readonly signal: AbortSignal
  progress(progress: ToolProgress): void
}
