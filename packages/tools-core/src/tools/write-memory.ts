import {
  type ErrorInfo,
  errorInfo,
  type MemoryWriteResult,
  type MemoryWriteStatus,
  type ToolResult,
} from '@kgent/contracts'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { failedResult, okResult } from '../tool-result.ts'
import { chooseScope } from './memory-scope.ts'

const WHAT_HAPPENED: Record<MemoryWriteStatus, string> = {
  written: 'Stored in memory',
  duplicate: 'Was in memory already; nothing was added',
  accepted: 'Accepted by the memory service, which stores it later',
  candidate: 'Held for review: a person decides whether it is remembered',
  blocked: 'Writing memory is switched off; nothing was stored',
  unknown: 'No answer came: it may or may not be stored; do not repeat it blindly',
  error: 'Nothing was stored',
}

export const writeMemoryTool = defineTool({
  name: 'write_memory',
  title: 'Propose memory',
  description:
    'Propose one short, durable fact to remember. The answer says whether it was stored, is held for a person’s review, is ' +
    'switched off, or has an unknown outcome.',
  inputSchema: z.strictObject({
    content: z.string().min(1, 'must not be empty').describe('The fact, as one or a few sentences'),
    scope: z.string().min(1).max(256).optional().describe('Memory scope, if the host allows more than one'),
    tags: z.array(z.string().min(1).max(64)).max(16).optional(),
  }),
  permissions: ({ scope }, { memory }) => {
    const chosen = scope ?? (memory.scopes?.length === 1 ? memory.scopes[0] : undefined)
    return [
      chosen === undefined ? { permission: 'memoryWrite' } : { permission: 'memoryWrite', scope: chosen },
    ]
  },
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  inputExamples: [{ content: 'Reports are written in British English.', tags: ['style'] }],
  async handler({ content, scope, tags = [] }, { memory, events, signal, callId, tool, actor, runId }) {
    const chosen = chooseScope(memory, scope)
    if ('error' in chosen) return failedResult(chosen.error)
    const metadata = { runId, callId, tool, actor: actor?.id ?? null }
    const written = await memory.writeMemory(content, chosen.scope, tags, { signal, metadata })
    const type = written.status === 'candidate' ? 'memory.candidate' : 'memory.write'
    events.record({
      type,
      callId,
      data: {
        status: written.status,
        id: written.id,
        scope: chosen.scope,
        bytes: Buffer.byteLength(content),
      },
    })
    return toResult(written, chosen.scope)
  },
})

function toResult(written: MemoryWriteResult, scope: string): ToolResult {
  const data = { status: written.status, id: written.id, scope, meaning: WHAT_HAPPENED[written.status] }
  const failed = written.error !== null || ['blocked', 'unknown', 'error'].includes(written.status)
  return failed
    ? failedResult(written.error ?? errorOf(written.status), data)
    : okResult(WHAT_HAPPENED[written.status], data)
}

function errorOf(status: MemoryWriteStatus): ErrorInfo {
  if (status === 'blocked') return errorInfo('memory_disabled', WHAT_HAPPENED.blocked)
  return errorInfo(status === 'unknown' ? 'memory_unknown' : 'memory_rejected', WHAT_HAPPENED[status])
}
