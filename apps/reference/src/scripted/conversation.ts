import type { JsonObject } from '@kgent/contracts'

/** A call that was made and what came back, as any model sees it. */
export interface DoneCall {
  tool: string
  input: JsonObject
  /** The line of summary, or the message of the failure. */
  summary: string
  /** Code of the failure; null when the call succeeded. */
  failure: string | null
  /** What the answer holds; for a failure its details. */
  data: JsonObject | null
}

/** The parts of a prompt that are read here; alike in every version of the provider interface. */
export interface PromptMessage {
  role: string
  content: unknown
}

interface PromptPart {
  type?: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  output?: { type?: string; value?: unknown; reason?: string }
}

/** Every call of a conversation that has been answered, in order. */
export function doneCalls(prompt: readonly PromptMessage[]): DoneCall[] {
  const parts = prompt.flatMap(({ content }) => (Array.isArray(content) ? (content as PromptPart[]) : []))
  const made = new Map(
    parts.filter(({ type }) => type === 'tool-call').map(({ toolCallId, input }) => [toolCallId, input]),
  )
  return parts
    .filter(({ type }) => type === 'tool-result')
    .map((part) => doneCall(part, made.get(part.toolCallId)))
}

function doneCall({ toolName = '', output = {} }: PromptPart, input: unknown): DoneCall {
  const call = { tool: toolName, input: isObject(input) ? input : {} }
  if (output.type === 'execution-denied')
    return { ...call, summary: output.reason ?? 'Not approved.', failure: 'approval_rejected', data: null }
  const [first = '', ...rest] = (typeof output.value === 'string' ? output.value : '').split('\n')
  if (output.type !== 'error-text')
    return { ...call, summary: first, failure: null, data: parseObject(rest[0]) }
  const [, failure = 'internal', summary = first] = /^Failed \((\w+)\): (.*)$/.exec(first) ?? []
  const details = rest.find((line) => line.startsWith('Details: '))?.slice('Details: '.length)
  return { ...call, summary, failure, data: parseObject(details) }
}

function parseObject(json: string | undefined): JsonObject | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null')
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
