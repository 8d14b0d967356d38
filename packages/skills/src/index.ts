export {
  KgentError,
  type LoadedSkill,
  type Permission,
  type PermissionWish,
  type SkillBudget,
  type SkillInfo,
  type SkillList,
  type SkillProblem,
  type SkillRegistry,
} from '@kgent/contracts'
export { checkSkills, type SkillCheck, type SkillReport } from './check-skills.ts'
export { permissionRequests, type SkillMount, skillMounts } from './registered-skills.ts'
export type { SkillFinding } from './skill-finding.ts'
export { createSkillRegistry, type SkillRegistryOptions } from './skill-registry.ts'
export type { SkillRoot } from './skill-roots.ts'
export {
  type ParsedSkill,
  type SkillValidation,
  type ValidateSkillOptions,
  validateSkill,
} from './validate-skill.ts'
