import type { EffectivePermissionPolicy, Permission } from '@kgent/contracts'
import { compileRules } from './compile-rule.ts'
import { compiledFormOf, compilePolicy } from './compiled-policy.ts'
import { canRun, reachOf } from './reach.ts'
import { compareText } from './rule-order.ts'

/** Where calls of a tool belong, and whether a policy could let them run at all. */
export interface Placement {
  /** The permissions in one canonical text, such as `filesystemRead+network`; `none` for a tool that needs none. */
  readonly permissionClass: string
  /** Sorted, each once. */
  readonly permissions: readonly Permission[]
  /** False when some permission can be had nowhere under this policy. Each call is still decided on its own. */
  readonly runnable: boolean
  /** The permissions that the policy gives nowhere to this tool, and why. */
  readonly refused: readonly { readonly permission: Permission; readonly reason: string }[]
}

/**
 * Says which permission class the calls of a tool need, for queues and workers of one class each. For a tool whose
 * permissions depend on its input, give those that the call at hand asks for.
 */
export function placementOf(
  tool: { readonly name: string; readonly permissions: readonly Permission[] },
  policy: EffectivePermissionPolicy,
): Placement {
  const compiled =
    compiledFormOf(policy) ??
    compilePolicy({ mode: policy.mode, mounts: null, rules: compileRules(policy.rules), skills: [] })
  const permissions = [...new Set(tool.permissions)].sort(compareText)
  const refused = permissions
    .filter((permission) => !canRun(compiled, permission, tool.name))
    .map((permission) => {
      const reason =
        reachOf(compiled, permission, tool.name).refusal?.reason ?? `Nobody has allowed ${permission}.`
      return { permission, reason }
    })
  return {
    permissionClass: permissions.join('+') || 'none',
    permissions,
    runnable: refused.length === 0,
    refused,
  }
}
