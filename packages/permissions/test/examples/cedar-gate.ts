import { randomUUID } from 'node:crypto'
import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs'
import type { PermissionGate, ResolvedPermissionRequest } from '@kgent/permissions'

/**
 * Cedar policies behind kgent's gate. Principal is the tool, action the permission; path, scope and the path without case
 * are in the context. Put it beside a policy: `withGate(policy, cedarGate(policies))`.
 *
 * **Throws:** at construction for policies that do not parse; when asked, for a policy that fails while it is evaluated,
 * because Cedar leaves such a policy out, and a `forbid` that is left out allows.
 */
export function cedarGate(policies: Record<string, string>): PermissionGate {
  const preparsedPolicySetId = randomUUID()
  const parsed = preparsePolicySet(preparsedPolicySetId, { staticPolicies: policies })
  if (parsed.type === 'failure') throw new Error(parsed.errors.map(({ message }) => message).join('; '))
  return (request) => {
    const answer = statefulIsAuthorized({ ...questionOf(request), preparsedPolicySetId })
    if (answer.type === 'failure') throw new Error('Cedar could not answer.')
    const { decision, diagnostics } = answer.response
    if (diagnostics.errors.length > 0) throw new Error('A Cedar policy failed.')
    const [rule = null] = [...diagnostics.reason].sort()
    return {
      permission: request.permission,
      resource: resourceOf(request),
      decision,
      layer: 'config',
      rule,
      reason: rule === null ? 'No Cedar policy permits it.' : `Cedar policy ${rule} decides.`,
      requestedBy: [],
    }
  }
}

function questionOf(request: ResolvedPermissionRequest) {
  const { permission, tool, path, scope, ignoreCase } = request
  return {
    principal: { type: 'Tool', id: tool },
    action: { type: 'Action', id: permission },
    resource: { type: 'Resource', id: resourceOf(request) ?? '' },
    context: {
      ...(path !== undefined && { path }),
      ...(path !== undefined && { comparedPath: ignoreCase ? path.toLowerCase() : path }),
      ...(scope !== undefined && { scope }),
      ignoreCase: ignoreCase ?? false,
    },
    entities: [],
  }
}

function resourceOf({ path, scope, resource }: ResolvedPermissionRequest): string | null {
  return path ?? scope ?? resource ?? null
}
