import type { JsonValue } from '@kgent/contracts'
import { type CallToolResult, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { isObject } from './value-at.ts'

/**
 * What became of the use of a tool. `refused`: the server says that it did not do it. `not sent`: it cannot have been
 * done. `no answer`: it may have been done.
 */
export type ToolAnswer =
  | { readonly kind: 'answer'; readonly value: JsonValue }
  | { readonly kind: 'refused' }
  | { readonly kind: 'not sent' | 'no answer'; readonly why: string }

export const NO_ANSWER_IN_TIME = 'The memory server did not answer within the time limit.'
export const UNREACHABLE = 'The memory server cannot be reached.'
const LOST = 'The connection to the memory server was lost.'

/** The JSON of an answer: its structured content, else its text where that is JSON. */
export function toAnswer(result: CallToolResult): ToolAnswer {
  if (result.isError) return { kind: 'refused' }
  const structured = result.structuredContent as JsonValue | undefined
  return { kind: 'answer', value: isObject(structured) ? structured : fromText(result) }
}

function fromText({ content }: CallToolResult): JsonValue {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What a failed request means. The reason's own words are not repeated: they may hold paths and addresses. */
export function toFailure(reason: unknown): ToolAnswer {
  if (neverSent(reason)) return { kind: 'not sent', why: UNREACHABLE }
  if (!(reason instanceof McpError)) return { kind: 'no answer', why: LOST }
  if (REFUSALS.includes(reason.code)) return { kind: 'refused' }
  return { kind: 'no answer', why: reason.code === ErrorCode.RequestTimeout ? NO_ANSWER_IN_TIME : LOST }
}

const REFUSALS: number[] = [
  ErrorCode.ParseError,
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound,
  ErrorCode.InvalidParams,
]

function neverSent(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false
  const { code } = (reason.cause ?? {}) as { code?: unknown }
  return reason.message === 'Not connected' || code === 'ECONNREFUSED' || code === 'ENOTFOUND'
}
