/** The part of the SDK's model messages that is read here; alike in every major. */
export interface SdkMessage {
  readonly role: string
  readonly content: unknown
}

/** What the SDK says about a call when it asks for approval or runs the tool; alike in every major. */
export interface SdkCall {
  readonly toolCallId: string
  /** The messages before the model's answer that holds the call; for a resumed call the whole history. */
  readonly messages: readonly SdkMessage[]
  readonly abortSignal?: AbortSignal | undefined
}

/** A part of a message's content: the fields that tool calls and approvals use. */
export interface SdkPart {
  readonly type?: unknown
  readonly toolCallId?: unknown
  readonly toolName?: unknown
  readonly input?: unknown
  readonly approvalId?: unknown
  readonly approved?: unknown
  readonly reason?: unknown
}

/** The parts of a message; none when its content is text. */
export function partsOf(message: SdkMessage): readonly SdkPart[] {
  return Array.isArray(message.content) ? message.content : []
}
