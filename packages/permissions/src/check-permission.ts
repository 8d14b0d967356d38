import {
  type EffectivePermissionPolicy,
  type ErrorInfo,
  errorInfo,
  type PermissionDecision,
  type PermissionResult,
  type ResolvedPermissionRequest,
} from '@kgent/contracts'

/** Asks a policy, in the shape that callers branch on. `policy.check` gives the whole decision. */
export function checkPermission(
  policy: EffectivePermissionPolicy,
  request: ResolvedPermissionRequest,
): PermissionResult {
  const decision = policy.check(request)
  const { reason } = decision
  if (decision.decision === 'allow') return { allowed: true, reason, error: null }
  return { allowed: false, reason, error: refusalError(decision) }
}

function refusalError(decision: PermissionDecision): ErrorInfo {
  const { permission, resource, layer, rule, reason } = decision
  const subject = resource === null ? permission : `${permission} on ${resource}`
  const details = { permission, resource, layer, rule }
  return decision.decision === 'ask'
    ? errorInfo('approval_required', `${subject} needs a person’s approval: ${reason}`, { details })
    : errorInfo('permission_denied', `${subject} is not allowed: ${reason}`, { details })
}
