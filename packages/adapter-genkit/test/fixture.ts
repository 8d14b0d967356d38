import type { Approver, PermissionEffect } from '@kgent/contracts'
import { createToolset, defineTool, okResult, type Toolset } from '@kgent/tools-core'
import { createMemoryRun, gateOf, type MemoryRecord, type ScriptedCall } from '@kgent/tools-core/testing'
import { z } from 'zod'

export interface Fixture extends MemoryRecord {
  toolset: Toolset
  /** What handlers have done, in order: the proof that something did not run. */
  ran: string[]
}

/** A real toolset on a run in memory. Sending mail is asked about, unless told otherwise. */
export function createFixture({
  mail = 'ask',
  approver,
}: {
  mail?: PermissionEffect
  approver?: Approver
} = {}): Fixture {
  const ran: string[] = []
  const { context, seen } = createMemoryRun({ ...(approver ? { approver } : {}) })
  const toolset = createToolset(testTools(ran), { context, policy: gateOf({ 'mail.send': mail }) })
  return { toolset, ran, ...seen }
}

function testTools(ran: string[]) {
  return [
    defineTool({
      name: 'send_mail',
      description: 'Send a mail.',
      inputSchema: z.strictObject({ to: z.string(), copies: z.int().optional() }),
      permissions: ['mail.send'],
      handler({ to }, { toolCallId }) {
        ran.push(`send_mail ${to} ${toolCallId}`)
        return okResult(`Sent to ${to}`, {})
      },
    }),
    defineTool({
      name: 'count_up',
      description: 'Report progress, then end.',
      inputSchema: z.strictObject({}),
      permissions: [],
      handler(_input, { progress }) {
        ran.push('count_up')
        progress({ message: 'Step 1', data: { step: 1 } })
        return okResult('Counted', {})
      },
    }),
  ]
}

export const mailTo = (to: string, id = 'c1', more: object = {}): ScriptedCall => ({
  id,
  name: 'send_mail',
  input: JSON.stringify({ to, ...more }),
})

export const eventsOf = ({ events }: Fixture) =>
  events.map(({ type }) => type).filter((type) => type.startsWith('permission.'))
