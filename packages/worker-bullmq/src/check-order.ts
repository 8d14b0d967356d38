import { type ErrorInfo, errorInfo } from '@kgent/contracts'
import { sha256 } from './call-files.ts'
import type { CallEnvelope, CallOrder } from './order.ts'

/** Which rule of the border refused a job. */
export type BorderRule = 'worker.malformed' | 'worker.forged' | 'worker.mismatch' | 'worker.expired'

/** Whether a job is the call that its sender wrote down. Null means yes. */
export function checkOrder(
  order: CallOrder,
  against: { envelope: CallEnvelope; callId: string; queue: string },
) {
  const { envelope, callId, queue } = against
  const differs = (['runId', 'tool', 'inputSha256', 'deadline', 'sender'] as const).find(
    (key) => order[key] !== envelope[key],
  )
  if (differs) return refusal('worker.mismatch', `the job’s ${differs} is not that of the call`)
  if (envelope.callId !== callId) return refusal('worker.mismatch', 'the job’s id is not that of the call')
  if (envelope.queue !== queue) return refusal('worker.mismatch', `the call was not placed in queue ${queue}`)
  if (sha256(envelope.input) !== envelope.inputSha256)
    return refusal('worker.mismatch', 'the arguments are not those of the call')
  if (envelope.decisions.some(({ decision }) => decision === 'deny'))
    return refusal('worker.forged', 'the sender’s own policy denies the call')
  if (Date.now() > envelope.deadline) return refusal('worker.expired', 'its deadline has passed')
  return null
}

/** The refusal of a job before it reaches any tool. */
export function refusal(rule: BorderRule, why: string): ErrorInfo {
  return errorInfo('permission_denied', `The worker refused the job: ${why}.`, {
    hint: 'Nothing was run.',
    details: { permission: 'worker', resource: null, layer: 'runtime', rule },
  })
}
