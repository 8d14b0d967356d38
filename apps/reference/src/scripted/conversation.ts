/** A call that was made and what came back, as the planner sees it. */
export interface DoneCall {
  id: string
  tool: string
  input: Record<string, unknown>
  /** The line of summary, or the text of the failure. */
  summary: string
  failed: boolean
  data: Record<string, unknown> | null
}

/** The parts of a prompt that are read here. */
interface PromptMessage {
  role: string
  content: unknown
}

interface PromptPart {
  type?: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  output?: { type?: string; value?: unknown }
}

/** Every call of a conversation that has been answered, in order. */
export function doneCalls(prompt: readonly PromptMessage[]): DoneCall[] {
  const parts = prompt.flatMap(({ content }) => (Array.isArray(content) ? (content as PromptPart[]) : []))
  const calls = new Map(
    parts.filter(({ type }) => type === 'tool-call').map((part) => [part.toolCallId, part]),
  )
  return parts
    .filter(({ type }) => type === 'tool-result')
    .map((part) => doneCall(part, calls.get(part.toolCallId)?.input))
}

function doneCall(part: PromptPart, input: unknown): DoneCall {
  const text =
    typeof part.output?.value === 'string' ? part.output.value : JSON.stringify(part.output?.value ?? '')
  const [summary = '', ...rest] = text.split('\n')
  const failed = part.output?.type === 'error-text' || part.output?.type === 'execution-denied'
  return {
    id: part.toolCallId ?? '',
    tool: part.toolName ?? '',
    input: typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {},
    summary,
    failed,
    data: failed ? null : parseData(rest[0]),
  }
}

function parseData(line: string | undefined): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line ?? 'null')
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
