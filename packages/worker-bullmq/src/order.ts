import type { JsonObject, PermissionDecision, ToolResult } from '@kgent/contracts'
import { isToolResult } from './tool-result.ts'

/** What stands in Redis about a call: ids, a hash, a time. Never an argument, a path or a result. */
export interface CallOrder {
  v: 1
  runId: string
  tool: string
  /** Hash of the arguments, as the text that they are stored as. */
  inputSha256: string
  /** Milliseconds since 1970; nothing is started after it. */
  deadline: number
  /** Who waits for the answer. */
  sender: string
}

/** What stands on the shared storage about a call, written by its sender before the order goes out. */
export interface CallEnvelope extends CallOrder {
  callId: string
  queue: string
  toolCallId: string | null
  /** The arguments as JSON text. */
  input: string
  submittedAt: number
  /** What the sender's own policy said. */
  decisions: PermissionDecision[]
  /** Whether a person was asked at the sender and agreed. */
  approved: boolean
}

/** Where and when a call was run. */
export interface Place {
  worker: string
  queue: string
  /** From the sender's order to the worker's start, by the clocks of both. */
  queueMs: number
  /** 2 when a first worker was lost. */
  attempt: number
}

/** The one verdict about a call, on the shared storage. */
export interface CallAnswer {
  v: 1
  callId: string
  /** Null when the sender itself ended the call. */
  place: Place | null
  /** Whether there is progress to read before the result. */
  hasProgress?: boolean
  result: ToolResult
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/
const CALL_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TOOL = /^[a-z][a-z0-9_]{0,63}$/
const SHA256 = /^[0-9a-f]{64}$/
const ORDER_KEYS = ['deadline', 'inputSha256', 'runId', 'sender', 'tool', 'v']

/** Whether a text may name a call: nothing else ever becomes part of a path. */
export function isCallId(value: unknown): value is string {
  return typeof value === 'string' && CALL_ID.test(value)
}

/** Whether a text may name a run, a sender or a worker. */
export function isPlainId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value)
}

/** A job's data as an order; null for anything that is not exactly one. */
export function readOrder(data: unknown): CallOrder | null {
  if (typeof data !== 'object' || data === null) return null
  const order = data as CallOrder
  const isOrder =
    Object.keys(order).sort().join() === ORDER_KEYS.join() &&
    order.v === 1 &&
    isPlainId(order.runId) &&
    isPlainId(order.sender) &&
    matches(order.tool, TOOL) &&
    matches(order.inputSha256, SHA256) &&
    Number.isSafeInteger(order.deadline)
  return isOrder ? order : null
}

/** An answer's text as an answer; null while it is not a whole one. */
export function readAnswer(text: string, callId: string): CallAnswer | null {
  const answer = parseObject(text) as CallAnswer | null
  return answer?.v === 1 && answer.callId === callId && isToolResult(answer.result) ? answer : null
}

/** An envelope's text as an envelope; null when it is none. */
export function readEnvelope(text: string): CallEnvelope | null {
  const envelope = parseObject(text) as CallEnvelope | null
  return envelope?.v === 1 && typeof envelope.input === 'string' ? envelope : null
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
  } catch {
    return null
  }
}
