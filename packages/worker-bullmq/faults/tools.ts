import { type AnyToolDefinition, defineTool, okResult } from '@kgent/tools-core'
import { z } from 'zod'

const inputSchema = z.strictObject({ id: z.string(), ms: z.int() })

/** A read, a declared-idempotent write and a write. Each makes its effect first and then takes its time. */
export function faultTools(effect: (line: string, ms: number) => Promise<void>): AnyToolDefinition[] {
  const run =
    (kind: string) =>
    async (input: z.infer<typeof inputSchema>, { callId }: { callId: string }) => {
      await effect(`${kind} ${input.id} ${callId}`, input.ms)
      return okResult(`Did ${input.id}`, { id: input.id })
    }
  const shared = { description: 'A tool of the fault runs.', inputSchema }
  return [
    defineTool({
      ...shared,
      name: 'look',
      permissions: ['filesystemRead'],
      annotations: { readOnly: true },
      handler: run('look'),
    }),
    defineTool({
      ...shared,
      name: 'put',
      permissions: ['filesystemWrite'],
      annotations: { idempotent: true },
      handler: run('put'),
    }),
    defineTool({ ...shared, name: 'book', permissions: ['filesystemWrite'], handler: run('book') }),
  ]
}
