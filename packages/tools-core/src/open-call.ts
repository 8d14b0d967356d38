import { randomUUID } from 'node:crypto'
import type { JsonValue } from '@kgent/contracts'
import type { CallOptions } from './bound-tool.ts'
import type { Call, CallServices } from './call.ts'
import { canonicalJson, sha256, shapeOf } from './canonical-json.ts'
import type { JsonSchema } from './json-schema.ts'
import { type NormalisedInput, normaliseInput } from './normalise-input.ts'
import { readCallOptions } from './read-call-options.ts'

const MAX_NAME_CHARS = 128

/** A call as it was asked for: any name, any input. */
export interface CallRequest {
  name: string
  rawInput: unknown
  options?: CallOptions | undefined
  /** Only asked about, not made: it is no attempt. */
  isForecast?: boolean
}

/** Gives a call its identity: own id, normalised input, hash and the number of the attempt. */
export function openCall(services: CallServices, request: CallRequest): Call {
  const startedAt = new Date()
  const startedTick = performance.now()
  const { toolCallId, ...options } = readCallOptions(request.options)
  const toolName = String(request.name).slice(0, MAX_NAME_CHARS)
  const tool = services.tools.get(toolName)
  const { normalised, text, shape } = readInput(request.rawInput, tool?.shape ?? { type: 'object' })
  const inputSha256 = sha256(text)
  const key = JSON.stringify([toolCallId, toolName, inputSha256])
  return {
    callId: randomUUID(),
    toolCallId,
    toolName,
    attempt: toolCallId === null || request.isForecast ? 1 : services.repeats.count(key),
    key,
    input: { sha256: inputSha256, bytes: Buffer.byteLength(text), shape },
    normalised,
    startedAt,
    startedTick,
    options,
  }
}

interface ReadInput {
  normalised: NormalisedInput
  /** Canonical JSON, for the hash. */
  text: string
  shape: JsonValue
}

/** Reads raw input without ever failing: getters and proxies can throw wherever they are touched. */
function readInput(raw: unknown, schema: JsonSchema): ReadInput {
  try {
    const normalised = normaliseInput(raw, schema)
    const value = normalised.ok ? normalised.value : raw
    return { normalised, text: canonicalJson(value), shape: shapeOf(value) }
  } catch {
    const problems = ['the input cannot be read: send a plain JSON object']
    return { normalised: { ok: false, problems }, text: 'null', shape: 'unreadable' }
  }
}
