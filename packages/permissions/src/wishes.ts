import type { Permission, PermissionWish } from '@kgent/contracts'
import type { CompiledPolicy } from './compiled-policy.ts'
import type { SkillRequest } from './layers.ts'
import { reachOf } from './reach.ts'
import { compareText } from './rule-order.ts'

/** What became of everything that skills asked for, by skill and permission. */
export function wishesOf(policy: CompiledPolicy, skills: readonly SkillRequest[]): PermissionWish[] {
  const pairs = skills.flatMap(({ id, permissions }) => permissions.map((permission) => ({ id, permission })))
  const distinct = new Map(pairs.map((pair) => [JSON.stringify([pair.id, pair.permission]), pair]))
  return [...distinct.values()]
    .sort((a, b) => compareText(a.id, b.id) || compareText(a.permission, b.permission))
    .map(({ id, permission }) =>
      Object.freeze({ permission, requestedBy: `skill:${id}`, ...fateOf(policy, permission) }),
    )
}

function fateOf(
  policy: CompiledPolicy,
  permission: Permission,
): Pick<PermissionWish, 'granted' | 'grantedBy' | 'reason'> {
  const { grant, refusal } = reachOf(policy, permission)
  if (grant)
    return { granted: true, grantedBy: `${grant.rule.layer} rule ${grant.rule.id}`, reason: grant.reason }
  const reason = refusal?.reason ?? 'Nobody else allows it, and a skill cannot grant what it asks for.'
  return { granted: false, grantedBy: null, reason }
}
