import type { PermissionDecision, PermissionGate, ResolvedPermissionRequest } from '@kgent/contracts'

const LAYERS: readonly string[] = [
  'runtime',
  'sandbox',
  'config',
  'skill',
  'default',
] satisfies PermissionDecision['layer'][]

/**
 * A gate that turns everything that is not a clear answer into a denial: an exception, a promise, an answer of the wrong
 * shape or to another question. For engines that are not written for kgent.
 */
export function failClosedGate(gate: PermissionGate): PermissionGate {
  return (request) => {
    try {
      const answer: unknown = gate(request)
      return isAnswerTo(request, answer)
        ? answer
        : denial(request, 'The permission check gave no clear answer, which counts as a denial.')
    } catch {
      return denial(request, 'The permission check itself failed, which counts as a denial.')
    }
  }
}

function isAnswerTo(request: ResolvedPermissionRequest, answer: unknown): answer is PermissionDecision {
  if (typeof answer !== 'object' || answer === null) return false
  const { permission, resource, decision, layer, rule, reason, requestedBy } =
    answer as Partial<PermissionDecision>
  return (
    permission === request.permission &&
    resource === resourceOf(request) &&
    (decision === 'allow' || decision === 'ask' || decision === 'deny') &&
    LAYERS.includes(layer as string) &&
    (rule === null || typeof rule === 'string') &&
    typeof reason === 'string' &&
    reason !== '' &&
    Array.isArray(requestedBy)
  )
}

function denial(request: ResolvedPermissionRequest, reason: string): PermissionDecision {
  return {
    permission: request.permission,
    resource: resourceOf(request),
    decision: 'deny',
    layer: 'default',
    rule: null,
    reason,
    requestedBy: [],
  }
}

function resourceOf({ path, scope, resource }: ResolvedPermissionRequest): string | null {
  return path ?? scope ?? resource ?? null
}
