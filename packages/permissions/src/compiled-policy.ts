import type { EffectivePermissionPolicy, SandboxMountInfo } from '@kgent/contracts'
import type { CompiledRule } from './compile-rule.ts'
import type { SkillRequest } from './layers.ts'
import { indexMounts, type MountIndex } from './mount-index.ts'
import { indexRules, type RuleIndex } from './rule-index.ts'

/** A policy in the form that is asked. */
export interface CompiledPolicy {
  readonly mode: 'enforce' | 'observe'
  readonly mounts: MountIndex | null
  /** In deciding order. */
  readonly rules: readonly CompiledRule[]
  /** Rules about a permission; `forOthers` serves permissions that no rule names. */
  readonly byPermission: ReadonlyMap<string, RuleIndex>
  readonly forOthers: RuleIndex
  /** Who asked in advance, by permission. */
  readonly requesters: ReadonlyMap<string, readonly string[]>
}

export interface PolicyParts {
  mode: 'enforce' | 'observe'
  mounts: readonly SandboxMountInfo[] | null
  /** In deciding order. */
  rules: readonly CompiledRule[]
  skills: readonly SkillRequest[]
}

export function compilePolicy({ mode, mounts, rules, skills }: PolicyParts): CompiledPolicy {
  const named = new Set(rules.map(({ rule }) => rule.permission).filter((permission) => permission !== '*'))
  const about = (permission: string | null) =>
    indexRules(rules.filter(({ rule }) => rule.permission === '*' || rule.permission === permission))
  return {
    mode,
    mounts: mounts && indexMounts(mounts),
    rules,
    byPermission: new Map([...named].map((permission) => [permission, about(permission)])),
    forOthers: about(null),
    requesters: requestersOf(skills),
  }
}

export function rulesAbout({ byPermission, forOthers }: CompiledPolicy, permission: string): RuleIndex {
  return byPermission.get(permission) ?? forOthers
}

function requestersOf(skills: readonly SkillRequest[]): Map<string, string[]> {
  const requesters = new Map<string, Set<string>>()
  for (const { id, permissions } of skills) {
    for (const permission of permissions) {
      requesters.set(permission, (requesters.get(permission) ?? new Set()).add(`skill:${id}`))
    }
  }
  return new Map([...requesters].map(([permission, names]) => [permission, [...names].sort()]))
}

/** Not `Symbol.for`: the form of another copy of this package may be another one. */
const COMPILED = Symbol('compiled policy')

/** Freezes a policy with its compiled form, so that `explain` and `replayRecords` look at what `check` looks at. */
export function sealPolicy(
  policy: EffectivePermissionPolicy,
  compiled: CompiledPolicy | null,
): EffectivePermissionPolicy {
  return Object.freeze(Object.defineProperty(policy, COMPILED, { value: compiled }))
}

/** Null for a policy that another copy of this package, or the host by hand, has made. */
export function compiledFormOf(policy: EffectivePermissionPolicy): CompiledPolicy | null {
  return (policy as { [COMPILED]?: CompiledPolicy | null })[COMPILED] ?? null
}
