import type { Outcome } from './error-info.ts'
import type { Permission, PermissionWish } from './permission.ts'

/** What is known about a usable skill without loading it. */
export interface SkillInfo {
  id: string
  name: string
  description: string
  /** Where it was found, as a sandbox path: `skills/<id>/SKILL.md`. */
  path: string
  /** What loading costs: bytes of the body, and a rough estimate of tokens. */
  bytes: number
  tokens: number
  loaded: boolean
  /** Things an author should mend that do not make the skill unusable. */
  remarks: string[]
  /** Permissions that the skill asks for. Asking grants nothing. */
  requests: Permission[]
}

/** A folder that looked like a skill and is not usable. */
export interface SkillProblem {
  /** File relative to its skills folder, with the folder's name in front; never a host path. */
  file: string
  reason: string
}

export interface SkillBudget {
  maxLoaded: number
  maxBytes: number
  loaded: number
  bytes: number
}

export interface SkillList {
  skills: SkillInfo[]
  problems: SkillProblem[]
  budget: SkillBudget
}

export interface LoadedSkill {
  info: SkillInfo
  /** The text after the front matter, as it was when first loaded in this run. */
  body: string
  sha256: string
  /** False when the skill had been loaded before and cost nothing this time. */
  firstLoad: boolean
  /** Whether the file differs from the text that this run loaded. */
  changedOnDisk: boolean
  budget: SkillBudget
}

/**
 * The skills that a run can see.
 * **Contract:** ids are keys into what was discovered and are never joined to a path; loading runs nothing and grants
 * nothing; a refused load costs nothing.
 */
export interface SkillRegistry {
  list(): Promise<SkillList>
  load(id: string): Promise<Outcome<LoadedSkill>>
  /** Frees the budget of a loaded skill; false when it was not loaded. */
  unload(id: string): boolean
  /** What became of the permissions that a skill asked for, if the host has decided. */
  wishes?(id: string): readonly PermissionWish[]
}
