import type { Approver, PermissionEffect } from '@kgent/contracts'
import { createToolset, defineTool, okResult, ToolError, type Toolset } from '@kgent/tools-core'
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
      title: 'Send mail',
      description: 'Send a mail.',
      inputSchema: z.strictObject({ to: z.string(), copies: z.int().optional() }),
      permissions: ['mail.send'],
      inputExamples: [{ to: 'ada' }],
      async handler({ to }, { toolCallId }) {
        ran.push(`send_mail ${to} ${toolCallId}`)
        if (to === 'nobody') throw new ToolError('Nobody has no address.')
        return okResult(`Sent to ${to}`, {})
      },
    }),
    defineTool({
      name: 'count_up',
      description: 'Report progress, then end.',
      inputSchema: z.strictObject({}),
      permissions: [],
      annotations: { readOnly: true },
      async handler(_input, { progress }) {
        for (const step of [1, 2, 3]) progress({ message: `Step ${step}`, data: { step } })
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
