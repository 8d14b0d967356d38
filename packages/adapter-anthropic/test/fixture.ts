import type { Approver, PermissionEffect } from '@kgent/contracts'
import { createToolset, defineTool, okResult, type ToolResult, type Toolset } from '@kgent/tools-core'
import { createMemoryRun, gateOf, type MemoryRecord } from '@kgent/tools-core/testing'
import { z } from 'zod'

export interface Fixture extends MemoryRecord {
  toolset: Toolset
  /** What handlers have done, in order: the proof that something did not run. */
  ran: string[]
}

export interface FixtureOptions {
  /** What the policy says to each permission. Default: `allow`. */
  effects?: Record<string, PermissionEffect>
  approver?: Approver
  /** Called when a handler is started. */
  onStart?: () => void
}

/** A real toolset on an in-memory run. */
export function createFixture({ effects = {}, approver, onStart }: FixtureOptions = {}): Fixture {
  const ran: string[] = []
  const note = (line: string) => {
    ran.push(line)
    onStart?.()
  }
  const { context, seen } = createMemoryRun(approver ? { approver } : {})
  return { toolset: createToolset(testTools(note), { context, policy: gateOf(effects) }), ran, ...seen }
}

function testTools(note: (line: string) => void) {
  return [
    defineTool({
      name: 'write_note',
      description: 'Write a note.',
      inputSchema: z.strictObject({ path: z.string().default('a.txt'), limit: z.int().optional() }),
      permissions: ['notes.write'],
      inputExamples: [{ path: 'a.txt' }],
      handler({ path }, { toolCallId }) {
        note(`write_note ${path} ${toolCallId}`)
        return okResult(`Wrote ${path}`, { path })
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
            note('wait_forever saw the abort')
            resolve(okResult('Too late', {}))
          })
          note('wait_forever started')
        }),
    }),
    defineTool({
      name: 'crash',
      description: 'Fail unexpectedly.',
      inputSchema: z.strictObject({}),
      permissions: [],
      handler() {
        throw new Error('secret-token at /home/someone/private.ts')
      },
    }),
  ]
}
