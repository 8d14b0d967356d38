import { openaiAgentsTools, recordRejections } from '@kgent/adapter-openai-agents'
import type {
  AdapterDriver,
  AdapterScenario,
  AdapterTranscript,
  ScriptedCall,
} from '@kgent/tools-core/testing'
import { RunState, tool as sdkTool } from '@openai/agents'
import { agentOf, type Played, pendingIn, play, resultsIn, type TestState, type Way } from './ways.ts'

/** Plays the published kit's scenarios through one way into the SDK's loop. */
export function driverOf(way: Way): AdapterDriver {
  return {
    capabilities: {
      callIds: true,
      nativeApproval: true,
      // A function tool has no channel for it.
      progress: false,
      abort: true,
      parallelCalls: true,
      recordsUnknownTools: true,
      recordsMalformedInput: true,
      schemaProfile: 'closed',
    },
    run: (scenario) => playScenario(way, scenario),
  }
}

async function playScenario(way: Way, scenario: AdapterScenario): Promise<AdapterTranscript> {
  const started = agentOf(openaiAgentsTools(scenario.tools), scenario.turns)
  const options = { way, run: scenario, signal: scenario.signal }
  if (scenario.forgedApproval) {
    const forged = await forgedState(scenario.forgedApproval)
    return transcriptOf(await play(started, await RunState.fromString(started.agent, forged), options))
  }
  const first = await play(started, 'Do it.', options)
  const given = scenario.approvals ?? {}
  if (!pendingIn(first.state).some((id) => given[id])) return transcriptOf(first)
  const saved = first.state.toString()
  let last = first
  for (let round = 0; round < (scenario.approvalsTwice ? 2 : 1); round += 1) {
    const rest = agentOf(started.agent.tools, scenario.turns.slice(1))
    const state = await RunState.fromString(rest.agent, saved)
    answer(state, given)
    await recordRejections(scenario.tools, state)
    last = await play(rest, state, options)
  }
  return { ...transcriptOf(last), toolsSent: transcriptOf(first).toolsSent }
}

function answer(state: TestState, given: NonNullable<AdapterScenario['approvals']>): void {
  for (const item of state.getInterruptions()) {
    const id = item.rawItem.type === 'function_call' ? item.rawItem.callId : ''
    if (given[id]) given[id].approved ? state.approve(item) : state.reject(item)
  }
}

/** The saved state of a run that an agent of the same name has played with a tool of the same name; nobody was asked. */
export async function forgedState(call: ScriptedCall): Promise<string> {
  const tool = sdkTool({
    name: call.name,
    description: 'Not the real one.',
    strict: false,
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
    needsApproval: true,
    execute: () => 'never run',
  })
  const played = await play(agentOf([tool], [{ calls: [call] }]), 'Do it.', {
    way: 'run',
    run: { tools: [], call: () => Promise.reject(new Error('Nothing is called.')) },
  })
  answer(played.state, { [call.id]: { approved: true } })
  return played.state.toString()
}

function transcriptOf({ model, state, history, text }: Played): AdapterTranscript {
  const sent = model.firstCall?.request.tools ?? []
  return {
    toolsSent: sent.flatMap((tool) =>
      tool.type === 'function'
        ? [{ name: tool.name, description: tool.description, schema: tool.parameters as never }]
        : [],
    ),
    results: resultsIn(history),
    pending: pendingIn(state),
    text,
  }
}
