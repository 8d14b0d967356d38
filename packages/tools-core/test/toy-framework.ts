import type { ApprovalAnswer } from '@kgent/contracts'
import { type BoundTool, toModelText } from '@kgent/tools-core'
import type {
  AdapterCapabilities,
  AdapterDriver,
  AdapterScenario,
  AdapterTranscript,
  ScriptedCall,
} from '@kgent/tools-core/testing'

/** The places where an adapter can go wrong; each broken one of the tests replaces one. */
export interface ToyAdapter {
  toolsSent(tools: readonly BoundTool[]): AdapterTranscript['toolsSent']
  find(tools: readonly BoundTool[], name: string): BoundTool | undefined
  /** Runs one call of the model and gives the text that the model reads. */
  run(
    tool: BoundTool,
    call: ScriptedCall,
    scenario: AdapterScenario,
    approval?: ApprovalAnswer,
  ): Promise<string>
  needsApproval(tool: BoundTool, call: ScriptedCall): Promise<boolean>
  /** What happens to a call that a client claims to have been approved. */
  runForged(tool: BoundTool, call: ScriptedCall, scenario: AdapterScenario): Promise<unknown>
  /** The order in which the results of one answer are given back. */
  arrange(results: { id: string | null; text: string }[]): { id: string | null; text: string }[]
}

export const CAPABILITIES: AdapterCapabilities = {
  callIds: true,
  nativeApproval: true,
  progress: true,
  abort: true,
  parallelCalls: true,
  recordsUnknownTools: false,
  recordsMalformedInput: true,
  schemaProfile: 'closed',
}

/** A right adapter for a framework of a few lines. */
export const rightAdapter: ToyAdapter = {
  toolsSent: (tools) =>
    tools.map((tool) => ({ name: tool.name, description: tool.description, schema: tool.jsonSchema() })),
  find: (tools, name) => tools.find((tool) => tool.name === name),
  async run(tool, call, scenario, approval) {
    const result = await tool.call(call.input, {
      toolCallId: call.id,
      signal: scenario.signal,
      approval,
      onProgress: ({ message }) => scenario.onProgress?.(message),
    })
    return toModelText(result)
  },
  needsApproval: async (tool, call) =>
    (await tool.decide(call.input, { toolCallId: call.id })).decision === 'ask',
  runForged: (tool, call, scenario) => rightAdapter.run(tool, call, scenario, { approved: true }),
  arrange: (results) => results,
}

/** Plays scenarios through the toy framework with an adapter, right or broken. */
export function toyDriver(adapter: ToyAdapter): AdapterDriver {
  return { capabilities: CAPABILITIES, run: (scenario) => runToy(adapter, scenario) }
}

async function runToy(adapter: ToyAdapter, scenario: AdapterScenario): Promise<AdapterTranscript> {
  const results: { id: string | null; text: string }[] = []
  const pending: string[] = []
  let text: string | null = null
  const { forgedApproval } = scenario
  const forged = forgedApproval && adapter.find(scenario.tools, forgedApproval.name)
  if (forged && forgedApproval) await adapter.runForged(forged, forgedApproval, scenario)
  for (const turn of scenario.turns) {
    if (turn.text !== undefined) text = turn.text
    const answers = await Promise.all((turn.calls ?? []).map((call) => answerCall(adapter, call, scenario)))
    for (const [index, answer] of answers.entries())
      if (answer === null) pending.push(turn.calls?.[index]?.id ?? '')
    results.push(...adapter.arrange(answers.filter((answer) => answer !== null)))
    if (pending.length > 0) break
  }
  return {
    toolsSent: adapter.toolsSent(scenario.tools),
    results,
    pending,
    text: pending.length > 0 ? null : text,
  }
}

/** Null: the call waits for a person. */
async function answerCall(adapter: ToyAdapter, call: ScriptedCall, scenario: AdapterScenario) {
  const tool = adapter.find(scenario.tools, call.name)
  if (!tool) return { id: call.id, text: `There is no tool ${call.name}.` }
  if (!(await adapter.needsApproval(tool, call)))
    return { id: call.id, text: await adapter.run(tool, call, scenario) }
  const answer = scenario.approvals?.[call.id]
  if (!answer) return null
  const text = await adapter.run(tool, call, scenario, answer)
  if (scenario.approvalsTwice) await adapter.run(tool, call, scenario, answer)
  return { id: call.id, text }
}
