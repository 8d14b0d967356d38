import type { ApprovalAnswer, BoundTool } from '@kgent/tools-core'
import { inputAsSent } from './pass-through-schema.ts'
import { partsOf, type SdkCall } from './sdk-call.ts'

/** What `toolApproval` gives for one tool: asked before each call, in the words of AI SDK 7. */
export type ToolApproval = (
  input: unknown,
  call: SdkCall,
) => Promise<'not-applicable' | { type: 'user-approval'; reason?: string }>

/**
 * For the `toolApproval` option of AI SDK 7: the same question as the tools' own `needsApproval`, with the policy's
 * reason for whoever is asked. A denial is not the SDK's business: the call runs into it and is recorded.
 */
export function toolApproval<const T extends readonly BoundTool[]>(
  tools: T,
): { [N in T[number]['name']]: ToolApproval } {
  const entries = tools.map((tool): [string, ToolApproval] => [tool.name, approvalOf(tool)])
  return Object.fromEntries(entries) as { [N in T[number]['name']]: ToolApproval }
}

function approvalOf(tool: BoundTool): ToolApproval {
  return async (input, call) => {
    const { decision, reason } = await forecast(tool, input, call)
    if (decision !== 'ask') return 'not-applicable'
    return reason === null ? { type: 'user-approval' } : { type: 'user-approval', reason }
  }
}

/** For a tool's `needsApproval`. */
export function needsApproval(tool: BoundTool): (input: unknown, call: SdkCall) => Promise<boolean> {
  return async (input, call) => (await forecast(tool, input, call)).decision === 'ask'
}

/**
 * A resumed run asks again about a call that is answered in its history. That must not count as a new ask: an answer
 * that a client made up would otherwise find the ask that it needs.
 */
function forecast(tool: BoundTool, input: unknown, call: SdkCall) {
  return tool.decide(inputAsSent(input), {
    toolCallId: call.toolCallId,
    replay: answerInHistory(call) !== null,
  })
}

/**
 * The answer to an ask about this call, where the SDK itself takes it from: the last message, as long as that holds no
 * result of the call. Null when there is none, as for every call that the model has just made.
 */
export function answerInHistory(call: SdkCall): ApprovalAnswer | null {
  const last = call.messages.at(-1)
  if (last?.role !== 'tool') return null
  const parts = partsOf(last)
  if (parts.some(({ type, toolCallId }) => type === 'tool-result' && toolCallId === call.toolCallId))
    return null
  const asks = approvalIds(call)
  const response = parts.find(
    ({ type, approvalId }) => type === 'tool-approval-response' && asks.has(approvalId),
  )
  if (!response) return null
  const answer: ApprovalAnswer = { approved: response.approved === true, by: 'ai-sdk' }
  return typeof response.reason === 'string' ? { ...answer, reason: response.reason } : answer
}

function approvalIds(call: SdkCall): Set<unknown> {
  const asks = call.messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(partsOf)
    .filter(({ type, toolCallId }) => type === 'tool-approval-request' && toolCallId === call.toolCallId)
  return new Set(asks.map(({ approvalId }) => approvalId))
}
