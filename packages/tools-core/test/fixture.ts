import type { PermissionDecision, PermissionGate, RunContext } from '@kgent/contracts'
import { type AnyToolDefinition, createToolset, defineTool, okResult, type Toolset } from '@kgent/tools-core'
import { createMemoryRun, type MemoryRecord, type MemoryRunOptions } from '@kgent/tools-core/testing'
import { z } from 'zod'

export interface FixtureOptions extends MemoryRunOptions {
  tools?: readonly AnyToolDefinition[]
  gate?: PermissionGate
  context?: Partial<RunContext>
}

/** A toolset on an in-memory run that allows what `gate` allows (default: everything). */
export function createFixture(options: FixtureOptions = {}): { tools: Toolset; seen: MemoryRecord } {
  const { context, seen } = createMemoryRun(options)
  const binding = { context: { ...context, ...options.context }, policy: options.gate ?? gateOf('allow') }
  return { tools: createToolset(options.tools ?? [echoTool], binding), seen }
}

export const echoTool = defineTool({
  name: 'echo',
  description: 'Give the text back.',
  inputSchema: z.strictObject({
    text: z.string(),
    times: z.int().min(1).default(1),
    note: z.string().optional(),
  }),
  permissions: [],
  annotations: { readOnly: true },
  handler: (input) =>
    okResult('Echoed', { text: input.text.repeat(input.times), note: input.note ?? 'absent' }),
})

/** A gate that says the same to everything. */
export const gateOf =
  (effect: PermissionDecision['decision']): PermissionGate =>
  ({ permission, path }) => ({
    permission,
    resource: path ?? null,
    decision: effect,
    layer: 'config',
    rule: 'test-rule',
    reason: 'the test says so',
    requestedBy: [],
  })
