import type { EffectivePermissionPolicy, SkillRegistry } from '@kgent/contracts'
import type { RunLog } from '@kgent/logging'

/** What a person should know at the start although nothing stops: policy remarks, unusable skills, a torn log. */
export async function startWarnings(parts: {
  policy: EffectivePermissionPolicy
  skills: SkillRegistry
  log: RunLog
}): Promise<string[]> {
  const { problems } = await parts.skills.list()
  return [
    ...parts.policy.warnings.map(({ place, message }) => `${place}: ${message}`),
    ...problems.map(({ file, reason }) => `skill ${file}: ${reason}`),
    ...parts.log.opened.remarks,
  ]
}
