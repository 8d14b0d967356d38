import type { Approver, PermissionEffect } from '@kgent/contracts'
import { createToolset, defineTool, okResult, type ToolResult } from '@kgent/tools-core'
import { createMemoryRun, gateOf } from '@kgent/tools-core/testing'
import { z } from 'zod'

export interface FixtureOptions {
  /** What the policy says to each permission. Default: `allow`. */
  effects?: Record<string, PermissionEffect>
  approver?: Approver
}

/** A real toolset on a run in memory; `ran` has a line for each handler that was started. */
export function createFixture({ effects = {}, approver }: FixtureOptions = {}) {
  const ran: string[] = []
  const { context, seen } = createMemoryRun(approver ? { approver } : {})
  const toolset = createToolset(testTools(ran), { context, policy: gateOf(effects) })
  return { toolset, ran, seen }
}

function testTools(ran: string[]) {
  return [
    defineTool({
      name: 'send_mail',
      description: 'Send a mail.',
      inputSchema: z.strictObject({ to: z.string(), subject: z.string().optional() }),
      permissions: ['mail.send'],
      async handler({ to }, { toolCallId }) {
        ran.push(`send_mail ${to} ${toolCallId}`)
        // A turn of the event loop: calls that run side by side all begin before the first ends.
        await new Promise((resolve) => setImmediate(resolve))
        ran.push(`sent ${to} ${toolCallId}`)
        return okResult(`Sent to ${to}`, {})
      },
    }),
    defineTool({
      name: 'wait_forever',
      description: 'Wait until the call is cancelled.',
      inputSchema: z.strictObject({}),
      permissions: [],
      handler: (_input, { signal }) =>
        new Promise<ToolResult>((resolve) => {
          signal.addEventListener('abort', () => {
            ran.push('wait_forever saw the abort')
            resolve(okResult('Too late', {}))
          })
          ran.push('wait_forever started')
        }),
    }),
  ]
}
