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
  if (way === 'stream') {
    const result = await runner.run(agent, input, { stream: true, signal: signal as AbortSignal })
    for await (const _event of result);
    await result.completed
    const { state, history } = result
    return { agent, model, state, history, text: result.finalOutput ?? null }
  }
  const result = await runner.run(agent, input, signal ? { signal } : {})
  const { state, history } = result
  return { agent, model, state, history, text: result.finalOutput ?? null }
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
