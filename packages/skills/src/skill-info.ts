import type { SkillInfo } from '@kgent/contracts'
import { MAX_DESCRIPTION_CHARS } from './check-fields.ts'
import type { UsableSkill } from './discover-skills.ts'
import { findingText } from './skill-finding.ts'

/** What is known about a skill apart from whether it is loaded. */
export type FixedSkillInfo = Omit<SkillInfo, 'loaded'>

/** English prose has about four bytes a token; good enough to compare skills. */
const BYTES_PER_TOKEN = 4

/** What a list says about a usable skill. */
export function toSkillInfo({ skill, folder, findings }: UsableSkill): FixedSkillInfo {
  const bytes = Buffer.byteLength(skill.body)
  return {
    id: skill.id,
    name: skill.name,
    description: shortened(skill.description),
    path: `skills/${skill.id}/${folder.fileName}`,
    bytes,
    tokens: Math.ceil(bytes / BYTES_PER_TOKEN),
    remarks: findings.map(findingText),
    requests: [...skill.requests],
  }
}

function shortened(description: string): string {
  const characters = [...description]
  if (characters.length <= MAX_DESCRIPTION_CHARS) return description
  return `${characters.slice(0, MAX_DESCRIPTION_CHARS - 1).join('')}…`
}
