import { BASE_PERMISSIONS, type EffectiveRule, type PolicyWarning } from '@kgent/contracts'
import type { KnownTool } from './layers.ts'
import { nearestName } from './nearest-name.ts'

/**
 * Custom permissions in rules that no tool names. Where a tool's permissions depend on its input the list is not
 * complete, and only what looks like a slip is remarked.
 */
export function checkPermissionNames(
  rules: readonly EffectiveRule[],
  tools: readonly KnownTool[] | undefined,
): PolicyWarning[] {
  if (!tools) return []
  const known = new Set<string>([
    ...BASE_PERMISSIONS,
    ...tools.flatMap(({ permissions }) => permissions ?? []),
  ])
  const isComplete = tools.every(({ permissions }) => permissions !== undefined)
  return rules.flatMap(({ permission, source }) => {
    if (permission === '*' || known.has(permission)) return []
    const nearest = nearestName(permission, known)
    if (!isComplete && !nearest) return []
    const hint = nearest ? `; did you mean ${nearest}?` : ''
    return [{ place: permissionPlace(source), message: `no tool names the permission ${permission}${hint}` }]
  })
}

/** `runtime.deny[0]` is the permission itself; a rule has it under a key. */
function permissionPlace(source: string): string {
  return source.startsWith('runtime.deny') ? source : `${source}.permission`
}
