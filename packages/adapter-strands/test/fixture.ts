import type { Approver, PermissionEffect } from '@kgent/contracts'
import { createToolset, defineTool, okResult, type ToolResult, type Toolset } from '@kgent/tools-core'
import {
  createMemoryRun,
  gateOf,
  type MemoryRecord,
  type ScriptedCall,
  type ScriptedTurn,
} from '@kgent/tools-core/testing'
import { Agent, type AgentConfig, type Message, type ToolResultBlock } from '@strands-agents/sdk'
import { z } from 'zod'
import { ScriptedModel } from './scripted-model.ts'

export interface Fixture extends MemoryRecord {
  toolset: Toolset
  /** What handlers have done: the proof that something did not run. */
  ran: string[]
}

/** A real toolset on an in-memory run: a mail that can be asked about, and a wait that only an abort ends. */
export function createFixture(
  options: { effects?: Record<string, PermissionEffect>; approver?: Approver } = {},
): Fixture {
  const ran: string[] = []
  const { context, seen } = createMemoryRun(options.approver ? { approver: options.approver } : {})
  const toolset = createToolset(testTools(ran), { context, policy: gateOf(options.effects) })
  return { toolset, ran, ...seen }
}

function testTools(ran: string[]) {
  return [
    defineTool({
      name: 'send_mail',
      description: 'Send a mail.',
      inputSchema: z.strictObject({ to: z.string() }),
      permissions: ['mail.send'],
      handler({ to }) {
        ran.push(`send_mail ${to}`)
        return okResult(`Sent to ${to}`, {})
      },
    }),
    defineTool({
      name: 'wait_for_abort',
      description: 'Wait until the call is cancelled.',
      inputSchema: z.strictObject({}),
      permissions: [],
      handler: (_input, { signal, progress }) =>
        new Promise<ToolResult>((resolve) => {
          signal.addEventListener('abort', () => resolve(okResult('Stopped', {})))
          progress({ message: 'waiting' })
        }),
    }),
  ]
}

/** A call of `send_mail`. */
export function mail(id: string, to: string): ScriptedCall {
  return { id, name: 'send_mail', input: JSON.stringify({ to }) }
}

/** An agent on a scripted model. */
export function agentOn(
  turns: readonly ScriptedTurn[],
  config: AgentConfig,
): { agent: Agent; model: ScriptedModel } {
  const model = new ScriptedModel(turns)
  return { model, agent: new Agent({ model, printer: false, ...config }) }
}

/** The results in a history, in order. */
export function resultsIn(messages: readonly Message[]): ToolResultBlock[] {
  return messages.flatMap(({ content }) => content).filter((block) => block.type === 'toolResultBlock')
}

/** The text of a result. */
export function textOf(block: ToolResultBlock | undefined): string {
  return (block?.content ?? []).map((part) => (part.type === 'textBlock' ? part.text : '')).join('')
}
