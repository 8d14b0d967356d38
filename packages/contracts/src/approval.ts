import type { PermissionDecision } from './permission.ts'

/** What a person is shown when a rule says `ask`. Arguments are bounded and escaped for display. */
export interface ApprovalRequest {
  callId: string
  toolCallId: string | null
  tool: string
  /** The arguments as JSON text of at most 2,000 characters. */
  input: string
  inputSha256: string
  /** The decisions that ask. */
  decisions: PermissionDecision[]
}

export interface ApprovalAnswer {
  approved: boolean
  /** Who answered, for the record. */
  by?: string
  reason?: string
}

/**
 * Asks a person (or the host's own code) about one call.
 * **Contract:** obeys `signal`; a rejection counts as “no”. The answer counts for this one call.
 */
export type Approver = (request: ApprovalRequest, options: { signal: AbortSignal }) => Promise<ApprovalAnswer>
