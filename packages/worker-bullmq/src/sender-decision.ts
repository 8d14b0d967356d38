import type { PermissionDecision, PermissionGate, PermissionRequest, RunContext } from '@kgent/contracts'
import type { AnyToolDefinition } from '@kgent/tools-core'
import { queueOf } from './queue-of.ts'

/** What the sender has decided about a call that it is about to place. */
export interface SenderDecision {
  queue: string
  decisions: PermissionDecision[]
  /** The core has let the call through: whoever was to be asked has agreed. */
  approved: boolean
  /** Resolved paths that the call needs. */
  paths: string[]
}

/** The sender's decision, for the worker to read, and the queue that follows from it. Gates are pure: it is the one that was just made. */
export async function senderDecision(
  tool: AnyToolDefinition,
  input: unknown,
  binding: { context: RunContext; gate: PermissionGate },
): Promise<SenderDecision> {
  const { permissions } = tool
  const requests: readonly PermissionRequest[] =
    typeof permissions === 'function'
      ? permissions(input, binding.context)
      : permissions.map((permission) => ({ permission }))
  const decisions: PermissionDecision[] = []
  const paths: string[] = []
  for (const request of requests) {
    if (request.path === undefined) {
      decisions.push(binding.gate({ ...request, tool: tool.name }))
      continue
    }
    const resolved = await binding.context.sandbox.resolvePath(request.path)
    const path = resolved.ok ? resolved.value.path : request.path
    const ignoreCase = resolved.ok && resolved.value.mount.ignoresCase
    decisions.push(binding.gate({ ...request, path, tool: tool.name, ignoreCase }))
    paths.push(path)
  }
  const approved = decisions.some(({ decision }) => decision === 'ask')
  return { queue: queueOf(requests), decisions, approved, paths }
}
