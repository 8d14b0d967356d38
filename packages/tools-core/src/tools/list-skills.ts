import type { SkillInfo } from '@kgent/contracts'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { cutAtCharacter } from '../one-line.ts'
import { okResult } from '../tool-result.ts'

export const listSkillsTool = defineTool({
  name: 'list_skills',
  title: 'List skills',
  description:
    'List the skills that can be loaded, what each costs against the budget, and those that could not be read.',
  inputSchema: z.strictObject({}),
  permissions: [],
  annotations: { readOnly: true, idempotent: true },
  async handler(_input, { skills }) {
    const { skills: found, problems, budget } = await skills.list()
    const unusable = problems.length > 0 ? `, ${problems.length} with problems` : ''
    const summary = `${found.length} skills${unusable}; ${budget.loaded} of ${budget.maxLoaded} loaded`
    return okResult(summary, {
      skills: found.map(describe),
      problems: problems.map((problem) => ({ ...problem })),
      budget: { ...budget },
    })
  },
})

/** Descriptions are shortened, so that a long list stays a list; loading shows the whole. */
const MAX_DESCRIPTION_CHARS = 240

function describe(skill: SkillInfo) {
  const { id, name, bytes, tokens, loaded, remarks, requests } = skill
  const isShort = skill.description.length <= MAX_DESCRIPTION_CHARS
  const description = isShort
    ? skill.description
    : `${cutAtCharacter(skill.description, MAX_DESCRIPTION_CHARS)}…`
  return { id, name, description, loaded, cost: { bytes, tokens }, remarks, requests }
}
