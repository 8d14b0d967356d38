import type { Approver, PermissionEffect } from '@kgent/contracts'
import { type AnyToolDefinition, createToolset, type Toolset } from '@kgent/tools-core'
import { createMemoryRun, gateOf, type MemoryRecord, type ScriptedCall } from '@kgent/tools-core/testing'

export interface Fixture extends MemoryRecord {
  toolset: Toolset
  /** What handlers have done, in order: the proof that something did not run. */
  ran: string[]
}

export interface MailOptions {
  mail?: PermissionEffect
  approver?: Approver
}

/** A real toolset on a run in memory. Sending mail is asked about, unless told otherwise. */
export function createMailFixture(
  tools: (ran: string[]) => readonly AnyToolDefinition[],
  { mail = 'ask', approver }: MailOptions = {},
): Fixture {
  const ran: string[] = []
  const { context, seen } = createMemoryRun({ ...(approver ? { approver } : {}) })
  const toolset = createToolset(tools(ran), { context, policy: gateOf({ 'mail.send': mail }) })
  return { toolset, ran, ...seen }
}

export const mailTo = (to: string, id = 'c1', more: object = {}): ScriptedCall => ({
  id,
  name: 'send_mail',
  input: JSON.stringify({ to, ...more }),
})

export const eventsOf = ({ events }: Fixture) =>
  events.map(({ type }) => type).filter((type) => type.startsWith('permission.'))
