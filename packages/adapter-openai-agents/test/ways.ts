import { type RunnerConfig, runnerConfig } from '@kgent/adapter-openai-agents'
import type { Toolset } from '@kgent/tools-core'
import type { ScriptedTurn } from '@kgent/tools-core/testing'
import { Agent, type AgentInputItem, Runner, type RunState, type Tool } from '@openai/agents'
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing'

/** The ways into the SDK's loop. */
export const WAYS = ['run', 'stream'] as const
export type Way = (typeof WAYS)[number]

export type TestAgent = Agent<unknown, 'text'>
export type TestState = RunState<unknown, TestAgent>

export interface Played {
  agent: TestAgent
  model: ScriptedModel
  state: TestState
  history: AgentInputItem[]
  text: string | null
}

/** An agent with the SDK's own scripted model. */
export function agentOf(tools: readonly unknown[], turns: readonly ScriptedTurn[]) {
  const model = new ScriptedModel(
    turns.map(({ calls = [], text }) => [
      ...(text === undefined ? [] : [assistantMessage(text)]),
      ...calls.map(({ id, name, input }) => functionCall(name, input, { callId: id })),
    ]),
  )
  const agent: TestAgent = new Agent({ name: 'Tester', model, tools: tools as Tool[] })
  return { agent, model }
}

export interface PlayOptions {
  way: Way
  run: Pick<Toolset, 'tools' | 'call'>
  signal?: AbortSignal | undefined
  /** The options of the runner. Default: those of the adapter. */
  config?: Partial<RunnerConfig>
}

/** Lets the agent go as far as it comes: from a message, or on from the state of an interrupted run. */
export async function play(
  { agent, model }: { agent: TestAgent; model: ScriptedModel },
  input: string | TestState,
  { way, run, signal, config = runnerConfig(run) }: PlayOptions,
): Promise<Played> {
  const runner = new Runner({ tracingDisabled: true, ...config })
  const options = signal ? { signal } : {}
  if (way === 'stream') {
    const result = await runner.run(agent, input, { ...options, stream: true })
    for await (const _event of result);
    await result.completed
    return endOf(result, { agent, model })
  }
  return endOf(await runner.run(agent, input, options), { agent, model })
}

/** The SDK warns on the console when the output of a run that has not ended is looked at. */
function endOf(
  result: Pick<Played, 'state' | 'history'> & { interruptions: unknown[]; finalOutput?: string | undefined },
  { agent, model }: Pick<Played, 'agent' | 'model'>,
): Played {
  const hasEnded = result.interruptions.length === 0 && result.history.at(-1)?.type === 'message'
  const text = hasEnded ? (result.finalOutput ?? null) : null
  return { agent, model, state: result.state, history: result.history, text }
}

/** What the model reads about each call. */
export function resultsIn(history: readonly AgentInputItem[]): { id: string; text: string }[] {
  return history.flatMap((item) => {
    if (item.type !== 'function_call_result') return []
    const { output, callId } = item
    const text = typeof output === 'string' ? output : 'text' in output ? output.text : JSON.stringify(output)
    return [{ id: callId, text }]
  })
}

/** The ids of the calls that wait for a person. */
export function pendingIn(state: TestState): string[] {
  return state
    .getInterruptions()
    .flatMap(({ rawItem }) => (rawItem.type === 'function_call' ? [rawItem.callId] : []))
}
