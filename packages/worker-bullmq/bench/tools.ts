import { setTimeout as sleep } from 'node:timers/promises'
import type { PermissionGate } from '@kgent/contracts'
import { type AnyToolDefinition, defineTool, okResult } from '@kgent/tools-core'
import { z } from 'zod'

export const allowAll: PermissionGate = ({ permission }) => ({
  permission,
  resource: null,
  decision: 'allow',
  layer: 'config',
  rule: 'bench',
  reason: 'the bench',
  requestedBy: [],
})

/** One tool that takes as long as it is told to. */
export function benchTools(): AnyToolDefinition[] {
  return [
    defineTool({
      name: 'wait',
      description: 'Wait some milliseconds.',
      inputSchema: z.strictObject({ ms: z.int() }),
      permissions: ['filesystemRead'],
      annotations: { readOnly: true },
      async handler({ ms }) {
        await sleep(ms)
        return okResult('Waited', { ms })
      },
    }),
  ]
}
