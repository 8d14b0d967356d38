import type { EffectivePermissionPolicy, PermissionGate } from '@kgent/contracts'
import { compiledFormOf, sealPolicy } from './compiled-policy.ts'
import { failClosedGate } from './fail-closed-gate.ts'
import { EFFECT_WEIGHT } from './rule-order.ts'

/**
 * The same policy with another engine beside it: the stricter of the two answers counts, so that the engine can take
 * away and never give. What the engine fails to answer is denied.
 */
export function withGate(policy: EffectivePermissionPolicy, gate: PermissionGate): EffectivePermissionPolicy {
  const engine = failClosedGate(gate)
  const combined: EffectivePermissionPolicy = {
    ...policy,
    check: (request) => {
      const own = policy.check(request)
      if (own.decision === 'deny') return own
      const other = engine(request)
      return EFFECT_WEIGHT[other.decision] > EFFECT_WEIGHT[own.decision]
        ? { ...other, requestedBy: own.requestedBy }
        : own
    },
  }
  return sealPolicy(combined, compiledFormOf(policy))
}
