import { setMaxListeners } from 'node:events'
import type { ApprovalAnswer } from '@kgent/contracts'
import type { CallOptions } from './bound-tool.ts'
import type { Call } from './call.ts'
import { sha256 } from './canonical-json.ts'

const MAX_ID_CHARS = 256
const MAX_REASON_CHARS = 1_000
const ID_HASH_CHARS = 16

/** What a framework says about a call, in forms that the core can rely on. */
export type ReadCallOptions = Call['options'] & Pick<Call, 'toolCallId'>

/**
 * Reads options that come from JavaScript, where types promise nothing: what has not the form of its kind is as if it
 * were not there, an approval that is not plainly `true` is a no, and nothing here throws.
 */
export function readCallOptions(options: CallOptions | undefined): ReadCallOptions {
  const given: Partial<Record<keyof CallOptions, unknown>> =
    typeof options === 'object' && options !== null ? options : {}
  const signal = field(given, 'signal')
  const onProgress = field(given, 'onProgress')
  return {
    toolCallId: idOf(field(given, 'toolCallId')),
    signal: signal instanceof AbortSignal ? sharedByMany(signal) : undefined,
    approval: readApproval(field(given, 'approval')),
    onProgress: typeof onProgress === 'function' ? (onProgress as CallOptions['onProgress']) : undefined,
    replay: field(given, 'replay') === true,
  }
}

/** Frameworks give all calls of a step one signal: many listeners are no leak. */
function sharedByMany(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}

/** A person's answer; undefined when there is none. Only `approved: true` is a yes. */
export function readApproval(value: unknown): ApprovalAnswer | undefined {
  if (value === undefined || value === null) return undefined
  const given: Partial<Record<keyof ApprovalAnswer, unknown>> = typeof value === 'object' ? value : {}
  const answer: ApprovalAnswer = { approved: field(given, 'approved') === true }
  const by = field(given, 'by')
  const reason = field(given, 'reason')
  if (typeof by === 'string') answer.by = by.slice(0, MAX_ID_CHARS)
  if (typeof reason === 'string') answer.reason = reason.slice(0, MAX_REASON_CHARS)
  return answer
}

function field<T extends object, K extends keyof T>(value: T, key: K): T[K] | undefined {
  try {
    return value[key]
  } catch {
    return undefined
  }
}

/** An id as it is kept: bounded, and two long ones that begin alike stay two. */
function idOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return null
  if (value.length <= MAX_ID_CHARS) return value
  return `${value.slice(0, MAX_ID_CHARS - ID_HASH_CHARS - 1)}#${sha256(value).slice(0, ID_HASH_CHARS)}`
}
