import type { Toolset } from '@kgent/tools-core'
import type OpenAI from 'openai'

/** The runner's event that is used here. */
interface Listening {
  on(event: 'message', listener: (message: OpenAI.Chat.ChatCompletionMessageParam) => void): unknown
}

/** The part of a runner's tools that is read here. */
interface Offered {
  readonly function?: { readonly name?: string | undefined; readonly function?: unknown }
}

/**
 * Records the model's calls to names that no tool has. The runner answers those by itself, so that without this no
 * record tells of them. To be set up as soon as the runner is made; runs nothing.
 *
 *     const runner = client.chat.completions.runTools({ model, messages, tools })
 *     recordUnknownCalls(run, { runner, tools })
 */
export function recordUnknownCalls(
  run: Pick<Toolset, 'tools' | 'call'>,
  { runner, tools }: { runner: Listening; tools: readonly Offered[] },
): void {
  const known = new Set([...run.tools.map(({ name }) => name), ...tools.map(nameOf)])
  runner.on('message', (message) => {
    if (message.role !== 'assistant') return
    for (const call of message.tool_calls ?? []) {
      if (call.type !== 'function' || known.has(call.function.name)) continue
      // The signal: a tool that the run has and the host did not offer must not start.
      const options = { toolCallId: call.id, signal: AbortSignal.abort() }
      void run.call(call.function.name, call.function.arguments, options)
    }
  })
}

/** As the runner names its tools: those without a name are called as their function is. */
function nameOf({ function: tool }: Offered): string | undefined {
  return tool?.name || (typeof tool?.function === 'function' ? tool.function.name : undefined)
}
