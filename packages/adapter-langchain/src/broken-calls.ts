import { type Toolset, toModelText } from '@kgent/tools-core'
import { AIMessage, AIMessageChunk, ToolMessage } from '@langchain/core/messages'

interface CallRequest {
  toolCall: { name: string; id?: string | undefined; args: unknown }
  /** Undefined where the agent has no tool of that name. */
  tool?: unknown
}

/** The two hooks, in the form of `createMiddleware`. */
export interface BrokenCallHooks {
  wrapModelCall<R, A>(request: R, handler: (request: R) => A | Promise<A>): Promise<A>
  wrapToolCall<R extends CallRequest, A>(
    request: R,
    handler: (request: R) => A | Promise<A>,
  ): Promise<A | ToolMessage>
}

const MAX_KEPT = 1_000
/** Stands for arguments that are empty: no JSON, so they must not read as “no arguments”. */
const EMPTY = '(empty)'

/**
 * Hooks for calls that LangChain would not bring to a tool as they were written: a name that no tool has, and arguments
 * that are no JSON, at which an agent would simply stop, or which it would complete where they were streamed. Both go to
 * the run, which answers them in words that help and records them; nothing runs. All other calls pass.
 *
 *     createMiddleware({ name: 'kgent', ...brokenCalls(run) })
 */
export function brokenCalls(run: Pick<Toolset, 'call'>): BrokenCallHooks {
  /** Arguments as they were written, by call id. In the history they are empty: providers take objects only. */
  const written = new Map<string, string>()
  return {
    async wrapModelCall(request, handler) {
      const answer = await handler(request)
      if (AIMessage.isInstance(answer)) keepBrokenCalls(answer, written)
      return answer
    },
    async wrapToolCall(request, handler) {
      const { name, id = '', args } = request.toolCall
      const text = written.get(id)
      const isKnown = request.tool !== undefined && request.tool !== null
      if (isKnown && text === undefined) return handler(request)
      written.delete(id)
      // The signal: a tool that the run has and the agent was not given must not start.
      const options = { toolCallId: id, signal: AbortSignal.abort() }
      const result = await run.call(name, text ?? args, options)
      const content = toModelText(result)
      return new ToolMessage({ content, tool_call_id: id, name, status: result.ok ? 'success' : 'error' })
    },
  }
}

interface WrittenCall {
  id?: string | undefined
  name?: string | undefined
  args?: string | undefined
}

/** Makes calls of a message's broken ones, so that the loop goes on and each is answered under its id. */
function keepBrokenCalls(message: AIMessage, written: Map<string, string>): void {
  forgetOldest(written)
  for (const { id, name, args } of [...(message.invalid_tool_calls ?? []), ...cutOffCalls(message)]) {
    if (!id || !name) continue
    written.set(id, args || EMPTY)
    const others = (message.tool_calls ?? []).filter((call) => call.id !== id)
    message.tool_calls = [...others, { type: 'tool_call', id, name, args: {} }]
  }
  message.invalid_tool_calls = []
}

/** What agents that died have left behind must not grow without end; what has just been written is always kept. */
function forgetOldest(written: Map<string, string>): void {
  for (const id of written.keys()) {
    if (written.size < MAX_KEPT) return
    written.delete(id)
  }
}

/** Streamed arguments that are no JSON. LangChain completes what is cut off: it would run with less than was written. */
function cutOffCalls(message: AIMessage): WrittenCall[] {
  if (!AIMessageChunk.isInstance(message)) return []
  return (message.tool_call_chunks ?? []).filter(({ args }) => args && !isJson(args))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
