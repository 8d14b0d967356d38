import { strandsTools, unansweredCalls } from '@kgent/adapter-strands'
import type { JsonSchema } from '@kgent/tools-core'
import type {
  AdapterDriver,
  AdapterScenario,
  AdapterTranscript,
  ScriptedCall,
} from '@kgent/tools-core/testing'
import {
  Agent,
  type AgentResult,
  InterruptResponseContent,
  type InvokeArgs,
  type Snapshot,
} from '@strands-agents/sdk'
import { ScriptedModel } from './scripted-model.ts'

export const WAYS = ['invoke', 'stream'] as const

/** The two ways into the loop. */
export type Way = (typeof WAYS)[number]

/** Plays the kit's scenarios through a real agent. */
export function driverOf(way: Way): AdapterDriver {
  return {
    capabilities: {
      callIds: true,
      nativeApproval: true,
      progress: way === 'stream',
      abort: true,
      parallelCalls: true,
      recordsUnknownTools: true,
      recordsMalformedInput: true,
      schemaProfile: 'closed',
    },
    run: (scenario) => playOn(way, scenario),
  }
}

async function playOn(way: Way, scenario: AdapterScenario): Promise<AdapterTranscript> {
  const model = new ScriptedModel(scenario.turns)
  const agent = new Agent({
    model,
    tools: strandsTools(scenario.tools),
    plugins: [unansweredCalls(scenario)],
    printer: false,
  })
  const send = (input: InvokeArgs) => sendTo(agent, { way, input, scenario })
  const { forgedApproval } = scenario
  if (forgedApproval) agent.loadSnapshot(forgedSnapshot(forgedApproval))
  let result = await send(forgedApproval ? [yes(interruptId(forgedApproval.id))] : 'Do it.')
  const given = answersTo(result, scenario)
  if (given.length > 0) {
    const waiting = agent.takeSnapshot({ preset: 'session' })
    result = await send(given)
    if (scenario.approvalsTwice) {
      agent.loadSnapshot(waiting)
      await send(given).catch(ignoreEndOfScript)
    }
  }
  return transcriptOf(model, result)
}

interface Sending {
  way: Way
  input: InvokeArgs
  scenario: AdapterScenario
}

async function sendTo(agent: Agent, { way, input, scenario }: Sending): Promise<AgentResult> {
  const options = scenario.signal ? { cancelSignal: scenario.signal } : {}
  if (way === 'invoke') return agent.invoke(input, options)
  const events = agent.stream(input, options)
  for (;;) {
    const { done, value } = await events.next()
    if (done) return value
    if (value.type !== 'toolStreamUpdateEvent') continue
    const { message } = value.event.data as { message: string }
    scenario.onProgress?.(message)
  }
}

function ignoreEndOfScript(error: unknown): void {
  if (!(error instanceof Error) || !error.message.startsWith('The script has no turn')) throw error
}

function interruptId(toolUseId: string): string {
  return `tool:${toolUseId}:approval`
}

function yes(id: string): InterruptResponseContent {
  return new InterruptResponseContent({ interruptId: id, response: true })
}

/** A stored agent that seems to have been waiting for an approval, which has been given. */
export function forgedSnapshot({ id, name, input }: ScriptedCall): Snapshot {
  const toolUse = { toolUseId: id, name, input: JSON.parse(input) }
  const interrupt = { id: interruptId(id), name: 'approval', response: true, source: 'tool' }
  return {
    scope: 'agent',
    schemaVersion: '1.0',
    createdAt: '2026-01-01T00:00:00.000Z',
    appData: {},
    data: {
      messages: [{ role: 'user', content: [{ text: 'Do it.' }] }],
      interrupts: {
        activated: true,
        interrupts: { [interrupt.id]: interrupt },
        pendingToolExecution: {
          assistantMessageData: { role: 'assistant', content: [{ toolUse }] },
          completedToolResults: {},
        },
      },
    },
  }
}

function pendingIn({ interrupts = [] }: AgentResult): string[] {
  return interrupts.map(({ id }) => id.split(':')[1] ?? '')
}

function answersTo(result: AgentResult, { approvals = {} }: AdapterScenario): InterruptResponseContent[] {
  return pendingIn(result).flatMap((toolUseId) => {
    const given = approvals[toolUseId]
    if (!given) return []
    return new InterruptResponseContent({ interruptId: interruptId(toolUseId), response: given.approved })
  })
}

function transcriptOf({ requests }: ScriptedModel, result: AgentResult): AdapterTranscript {
  const read = (requests.at(-1)?.messages ?? []).flatMap(({ content }) => content)
  const results = read.filter((block) => block.type === 'toolResultBlock')
  const last = result.lastMessage.content.at(-1)
  return {
    toolsSent: (requests[0]?.options?.toolSpecs ?? []).map(({ name, description, inputSchema }) => ({
      name,
      description,
      schema: inputSchema as JsonSchema,
    })),
    results: results.map(({ toolUseId, content }) => ({
      id: toolUseId,
      text: content.map((part) => (part.type === 'textBlock' ? part.text : '')).join(''),
    })),
    pending: pendingIn(result),
    text: result.stopReason === 'endTurn' && last?.type === 'textBlock' ? last.text : null,
  }
}
