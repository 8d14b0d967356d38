import type { EffectiveRule, ResolvedPermissionRequest } from '@kgent/contracts'
import { isAboveMount, type MountIndex, mountOf } from './mount-index.ts'
import type { Subject } from './subject.ts'

/** The constraint that a path breaks whatever the rules say, as the rule that denies it; null where it breaks none. */
export function pathConstraint(
  mounts: MountIndex | null,
  { permission, path, isUnresolved }: Subject,
): EffectiveRule | null {
  if (isUnresolved) {
    const reason = 'The path is not a resolved sandbox path.'
    return constraint(permission, { id: 'sandbox.unresolved', source: 'sandbox paths', reason })
  }
  if (path === undefined) return null
  if (mounts === null || mountOf(mounts, path) !== null) return null
  const isChange = permission === 'filesystemWrite' || permission === 'filesystemDelete'
  if (!isChange && isAboveMount(mounts, path)) return null
  const reason = 'The path is in no mount of the sandbox.'
  return constraint(permission, { id: 'sandbox.outside', source: 'sandbox mounts', reason })
}

function constraint(
  permission: string,
  rest: Pick<EffectiveRule, 'id' | 'source' | 'reason'>,
): EffectiveRule {
  return { ...rest, layer: 'sandbox', effect: 'deny', permission }
}

/** What makes a request one that cannot be decided, or null. Types are not enough: hosts written in JavaScript ask too. */
export function malformation(request: ResolvedPermissionRequest): string | null {
  if (typeof request !== 'object' || request === null) return 'The request is not an object.'
  if (typeof request.permission !== 'string' || request.permission === '')
    return 'The request names no permission.'
  if (typeof request.tool !== 'string' || request.tool === '') return 'The request names no tool.'
  for (const key of ['path', 'scope', 'resource'] as const) {
    const value = request[key]
    if (value !== undefined && typeof value !== 'string') return `The ${key} of the request is not a text.`
  }
  return null
}
