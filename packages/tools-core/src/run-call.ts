import { type ErrorInfo, errorInfo, type ToolResult } from '@kgent/contracts'
import { accessCheckFor } from './access-check.ts'
import { type BoundResult, boundResult } from './bound-result.ts'
import type { Answer, Call, CallServices, PreparedTool } from './call.ts'
import { callContext } from './call-context.ts'
import { statusOf } from './call-status.ts'
import { type CallDecision, decideCall } from './decide-call.ts'
import { obtainApproval, priorRejection } from './obtain-approval.ts'
import { type CallRequest, openCall } from './open-call.ts'
import { recordEnd, recordStart } from './record-call.ts'
import { reportCrash } from './report-crash.ts'
import { type HandlerEnd, isToolResult, runHandler } from './run-handler.ts'
import { failedResult } from './tool-result.ts'
import { validateInput } from './validate-input.ts'

/**
 * The life of a call, the only way to a handler:
 * normalise → start event → find → validate → decide → run → make JSON-safe and bound → record → end event → result.
 *
 * **Contract:** never rejects; exactly one start event, one record and one end event, whatever happens. Record and
 * events are in the operating system’s hands before the result is returned.
 */
export async function runCall(services: CallServices, request: CallRequest): Promise<ToolResult> {
  const call = openCall(services, request)
  recordStart(services, call)
  const answer = await (repeatOf(services, call) ?? firstRun(services, call))
  recordEnd(services, call, answer)
  await Promise.all([services.context.logger.flush(), services.context.events.flush()])
  return answer.result
}

/** The answer of the call that this one repeats, if it must not run again. */
function repeatOf(services: CallServices, call: Call): Promise<Answer> | null {
  if (call.toolCallId === null) return null
  const readOnly = services.tools.get(call.toolName)?.readOnly === true
  const first = services.repeats.find(call.key, { readOnly, replay: call.options.replay })
  return first ? first.answer.then((answer) => ({ ...answer, artifacts: [], replayOf: first.callId })) : null
}

function firstRun(services: CallServices, call: Call): Promise<Answer> {
  const answer = answerCall(services, call)
  if (call.toolCallId !== null) services.repeats.remember(call.key, call.callId, answer)
  return answer
}

async function answerCall(services: CallServices, call: Call): Promise<Answer> {
  const decision: CallDecision = { effect: 'deny', decisions: [], error: null }
  try {
    return await findAndRun(services, call, decision)
  } catch (thrown) {
    return refuse(reportCrash(services, call, thrown), decision)
  }
}

async function findAndRun(services: CallServices, call: Call, decision: CallDecision): Promise<Answer> {
  const { logger } = services.context
  if (logger.required && logger.failure) return refuse(logUnavailable(), decision)
  const tool = services.tools.get(call.toolName)
  if (!tool) return refuse(unknownTool(services, call.toolName), decision)
  const checked = await validateInput(tool, call.normalised)
  if (!checked.ok) return refuse(checked.error, decision)
  Object.assign(decision, await decideCall(services, tool, checked.input))
  if (decision.effect === 'deny' && decision.error) return refuse(decision.error, decision)
  const rejected = priorRejection(services, call)
  if (rejected) return refuse(rejected, decision)
  if (decision.effect === 'ask') {
    const refusal = await obtainApproval(services, call, decision)
    if (refusal) return refuse(refusal, decision)
  }
  return runTool(services, { call, tool, input: checked.input, decision })
}

interface ReadyCall {
  call: Call
  tool: PreparedTool
  input: unknown
  decision: CallDecision
}

async function runTool(services: CallServices, ready: ReadyCall): Promise<Answer> {
  const { call, tool, decision } = ready
  const { context } = services
  const check = accessCheckFor({
    gate: services.gate,
    tool: tool.name,
    mounts: context.sandbox.mounts,
    decision,
  })
  const sandbox = context.sandbox.withAccessCheck(check)
  const end = await runHandler(
    (signal) => tool.definition.handler(ready.input, callContext(services, call, { sandbox, signal })),
    {
      timeoutMs: context.limits.callTimeoutMs,
      readOnly: tool.readOnly,
      signals: [call.options.signal, services.closing],
    },
  )
  if (end.kind === 'not_started') return refuse(end.error, decision)
  const bounded = await boundedResultOf(services, ready, end)
  return { ...bounded, status: statusOf(bounded.result), decisions: decision.decisions, ran: true }
}

type StartedEnd = Exclude<HandlerEnd, { kind: 'not_started' }>

/** From here on the handler has run: whatever is wrong with its result, the call is not one that may run again. */
async function boundedResultOf(
  services: CallServices,
  { call, tool }: ReadyCall,
  end: StartedEnd,
): Promise<BoundResult> {
  const { limits, artifacts } = services.context
  try {
    const maxInlineBytes = tool.definition.maxInlineBytes ?? limits.maxInlineBytes
    return await boundResult(resultOf(services, call, end), { maxInlineBytes, artifacts })
  } catch (thrown) {
    return emptyResult(reportCrash(services, call, thrown))
  }
}

function resultOf(services: CallServices, call: Call, end: StartedEnd): ToolResult {
  if (end.kind === 'failed') return failedResult(end.error)
  if (end.kind === 'crashed') return failedResult(reportCrash(services, call, end.thrown))
  if (isToolResult(end.result)) return end.result
  return failedResult(
    reportCrash(services, call, new TypeError(`The handler of ${call.toolName} returned no ToolResult.`)),
  )
}

function emptyResult(error: ErrorInfo): BoundResult {
  return { result: failedResult(error), dataText: 'null', artifacts: [] }
}

function refuse(error: ErrorInfo, decision: CallDecision): Answer {
  const empty = emptyResult(error)
  return { ...empty, status: statusOf(empty.result), decisions: decision.decisions, ran: false }
}

function unknownTool(services: CallServices, asked: string): ErrorInfo {
  const names = [...services.tools.keys()].sort()
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
  const near = names.find((name) => plain(name) === plain(asked))
  const message = `There is no tool of that name. The tools are: ${names.join(', ') || 'none'}.`
  return errorInfo('unknown_tool', message, {
    hint: near && `Did you mean ${near}?`,
    details: { tools: names },
  })
}

function logUnavailable(): ErrorInfo {
  return errorInfo(
    'log_unavailable',
    'Calls are refused because their record cannot be written and this run requires it.',
    {
      hint: 'Nothing was run. The host must mend the log first.',
    },
  )
}
