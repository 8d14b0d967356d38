import { type ApprovalAnswer, type ApprovalRequest, type ErrorInfo, errorInfo } from '@kgent/contracts'
import type { Call, CallServices } from './call.ts'
import { canonicalJson } from './canonical-json.ts'
import type { CallDecision } from './decide-call.ts'
import { cutAtCharacter, escapeForDisplay } from './one-line.ts'
import { readApproval } from './read-call-options.ts'

const MAX_INPUT_CHARS = 2_000
const DEFAULT_APPROVAL_TIMEOUT_MS = 600_000

/** Whether a person has already said no, as the framework tells. That holds whatever the policy says; the ask is used up. */
export function priorRejection(services: CallServices, call: Call): ErrorInfo | null {
  const { approval } = call.options
  if (!approval || approval.approved) return null
  services.approvals.redeem(call.key)
  recordAnswer(services, call, approval)
  return rejection(approval)
}

/**
 * Gets a person's answer to a call that a rule wants asked about: the one that the framework brought, else the host's
 * approver's. Null means approved.
 */
export async function obtainApproval(
  services: CallServices,
  call: Call,
  decision: CallDecision,
): Promise<ErrorInfo | null> {
  const { approval } = call.options
  if (approval) return redeem(services, call, approval)
  const { approver } = services.context
  if (!approver) return decision.error
  if (isCancelled(services, call)) return cancelled()
  recordAsk(services, call, decision, 'approver')
  const answer = await askApprover(services, call, requestOf(call, decision))
  recordAnswer(services, call, answer)
  // A yes that came first counts: the handler sees the same signal.
  if (!answer.approved && isCancelled(services, call)) return cancelled()
  return answer.approved ? null : rejection(answer)
}

function isCancelled(services: CallServices, call: Call): boolean {
  return services.closing.aborted || call.options.signal?.aborted === true
}

function cancelled(): ErrorInfo {
  return errorInfo(
    'aborted',
    'The call was cancelled before a person answered whether it may run. Nothing was run.',
  )
}

function redeem(services: CallServices, call: Call, approval: ApprovalAnswer): ErrorInfo | null {
  const askedFor = services.approvals.redeem(call.key)
  if (askedFor === null) {
    return errorInfo(
      'approval_invalid',
      'This approval belongs to no call that was asked about here, or it was used before.',
      {
        hint: 'Nothing was run. Make the call again so that a person can be asked.',
      },
    )
  }
  recordAnswer(services, call, approval)
  return null
}

async function askApprover(
  services: CallServices,
  call: Call,
  request: ApprovalRequest,
): Promise<ApprovalAnswer> {
  const { approver, limits } = services.context
  const stop = new AbortController()
  // Not `AbortSignal.timeout`, which does not keep the process alive: nobody may be left without an answer.
  const timer = setTimeout(() => stop.abort(), limits.approvalTimeoutMs ?? DEFAULT_APPROVAL_TIMEOUT_MS)
  const { signal: own } = call.options
  const signal = AbortSignal.any([stop.signal, services.closing, ...(own ? [own] : [])])
  try {
    const answer = await Promise.race([approver?.(request, { signal }), untilAborted(signal)])
    return readApproval(answer) ?? { approved: false, reason: 'the approver gave no answer' }
  } catch {
    return { approved: false, reason: 'the approver could not be asked' }
  } finally {
    clearTimeout(timer)
  }
}

function requestOf(call: Call, decision: CallDecision): ApprovalRequest {
  const input = call.normalised.ok ? canonicalJson(call.normalised.value) : ''
  return {
    callId: call.callId,
    toolCallId: call.toolCallId,
    tool: call.toolName,
    input: escapeForDisplay(cutAtCharacter(input, MAX_INPUT_CHARS)),
    inputSha256: call.input.sha256,
    decisions: decision.decisions.filter(({ decision: effect }) => effect === 'ask'),
  }
}

/** An approver that does not obey its signal is not waited for. */
function untilAborted(signal: AbortSignal): Promise<ApprovalAnswer> {
  return new Promise((resolve) => {
    const end = () => resolve({ approved: false, reason: 'nobody answered in time' })
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

function rejection(answer: ApprovalAnswer): ErrorInfo {
  const because = answer.reason ? `: ${escapeForDisplay(answer.reason.slice(0, 200))}` : '.'
  return errorInfo(
    'approval_rejected',
    `A person was asked about this call and did not approve it${because}`,
    {
      hint: 'Nothing was run. Do not repeat the call; ask what to do instead.',
    },
  )
}

/** Says on the event stream that a call waits for a person. */
export function recordAsk(
  services: CallServices,
  call: Pick<Call, 'callId' | 'toolCallId' | 'toolName' | 'input'>,
  decision: CallDecision,
  by: 'approver' | 'framework',
): void {
  const asked = decision.decisions.find(({ decision: effect }) => effect === 'ask')
  services.context.events.record({
    type: 'permission.ask',
    callId: call.callId,
    data: {
      tool: call.toolName,
      toolCallId: call.toolCallId,
      inputSha256: call.input.sha256,
      permission: asked?.permission ?? null,
      resource: asked?.resource ?? null,
      rule: asked?.rule ?? null,
      by,
    },
  })
}

function recordAnswer(services: CallServices, call: Call, answer: ApprovalAnswer): void {
  services.context.events.record({
    type: 'permission.answer',
    callId: call.callId,
    data: {
      tool: call.toolName,
      toolCallId: call.toolCallId,
      approved: answer.approved,
      by: answer.by ?? null,
    },
  })
}
