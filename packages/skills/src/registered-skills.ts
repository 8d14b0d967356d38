import { KgentError, type Permission, type SkillRegistry } from '@kgent/contracts'
import type { UsableSkill } from './discover-skills.ts'
import type { SkillFolder } from './find-skill-files.ts'
import { type FixedSkillInfo, toSkillInfo } from './skill-info.ts'

/** What a registry keeps of a skill: its text is read again when it is loaded. */
export interface RegisteredSkill {
  info: FixedSkillInfo
  folder: SkillFolder
  sha256: string
}

export function registered(skill: UsableSkill): RegisteredSkill {
  return { info: toSkillInfo(skill), folder: skill.folder, sha256: skill.sha256 }
}

/** A read-only mount that shows a skill's own files. */
export interface SkillMount {
  /** `skills/<id>`. */
  name: string
  /** Host path: for the sandbox, never for an agent. */
  dir: string
  mode: 'ro'
}

// Kept beside the registry, so that the object that tools get holds no host path.
const REGISTERED = new WeakMap<SkillRegistry, readonly RegisteredSkill[]>()

/** Notes which folders stand behind a registry. */
export function rememberSkills(registry: SkillRegistry, skills: readonly RegisteredSkill[]): void {
  REGISTERED.set(registry, skills)
}

/** The mounts to give to a sandbox, one for each usable skill. **Throws:** `KgentError` for a registry of another make. */
export function skillMounts(registry: SkillRegistry): SkillMount[] {
  return skillsOf(registry).map(({ info, folder }) => ({
    name: `skills/${info.id}`,
    dir: folder.dir,
    mode: 'ro',
  }))
}

/** What skills ask for, to give to a policy: requests, never grants. **Throws:** `KgentError` as `skillMounts` does. */
export function permissionRequests(registry: SkillRegistry): { id: string; permissions: Permission[] }[] {
  return skillsOf(registry)
    .filter(({ info }) => info.requests.length > 0)
    .map(({ info }) => ({ id: info.id, permissions: [...info.requests] }))
}

function skillsOf(registry: SkillRegistry): readonly RegisteredSkill[] {
  const skills = REGISTERED.get(registry)
  if (skills) return skills
  throw new KgentError(
    'config_invalid',
    'Give the registry that createSkillRegistry returned, not a copy or a wrapper.',
  )
}
