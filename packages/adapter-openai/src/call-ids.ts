import type { FunctionToolCall, OpenaiRunner } from './openai-runner.ts'

/**
 * Finds the id of the call that a function is run for. The runner keeps ids to itself, but its last assistant message
 * holds the calls, and it starts them in that order: of equal calls the first that has not been found yet is meant.
 */
export class CallIds {
  readonly #found = new WeakSet<FunctionToolCall>()

  /** Undefined when no call of the message is like this one, as after a host has changed the runner's messages. */
  take(runner: OpenaiRunner, { name, input }: { name: string; input: string }): string | undefined {
    const call = callsOf(runner).find(
      (one) => one.function.name === name && one.function.arguments === input && !this.#found.has(one),
    )
    if (!call) return undefined
    this.#found.add(call)
    // Not every service gives ids, and an empty one would make all calls the same call.
    return call.id || undefined
  }
}

function callsOf({ messages }: OpenaiRunner): FunctionToolCall[] {
  const last = messages.findLast(({ role }) => role === 'assistant')
  if (last?.role !== 'assistant') return []
  return (last.tool_calls ?? []).filter((call): call is FunctionToolCall => call.type === 'function')
}
