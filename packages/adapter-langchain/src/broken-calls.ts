import { type Toolset, toModelText } from '@kgent/tools-core'
import { AIMessage, ToolMessage } from '@langchain/core/messages'

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

/**
 * Hooks for calls that LangChain would not bring to a tool: a name that no tool has, and arguments that are no JSON, at
 * which an agent would simply stop. Both go to the run, which answers them in words that help and records them; nothing
 * runs. All other calls pass.
 *
 *     createMiddleware({ name: 'kgent', ...brokenCalls(run) })
 */
export function brokenCalls(run: Pick<Toolset, 'call'>): BrokenCallHooks {
  /** Arguments as they were written, by call id. In the history they are empty: providers take objects only. */
  const written = new Map<string, string>()
  return {
    async wrapModelCall(request, handler) {
      const answer = await handler(request)
      if (AIMessage.isInstance(answer)) keepInvalidCalls(answer, written)
      return answer
    },
    async wrapToolCall(request, handler) {
      const { name, id = '', args } = request.toolCall
      const text = written.get(id)
      const isKnown = request.tool !== undefined && request.tool !== null
      if (isKnown && text === undefined) return handler(request)
      written.delete(id)
      const result = await run.call(name, text ?? args, { toolCallId: id })
      const content = toModelText(result)
      return new ToolMessage({ content, tool_call_id: id, name, status: result.ok ? 'success' : 'error' })
    },
  }
}

/** Makes calls of a message's invalid calls, so that the loop goes on and each is answered under its id. */
function keepInvalidCalls(message: AIMessage, written: Map<string, string>): void {
  for (const { id, name, args } of message.invalid_tool_calls ?? []) {
    if (!id || !name || written.size >= MAX_KEPT) continue
    written.set(id, args ?? '')
    message.tool_calls = [...(message.tool_calls ?? []), { type: 'tool_call', id, name, args: {} }]
  }
  message.invalid_tool_calls = []
}
