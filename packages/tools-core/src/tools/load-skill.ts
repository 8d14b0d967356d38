import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { failedResult, okResult } from '../tool-result.ts'

export const loadSkillTool = defineTool({
  name: 'load_skill',
  title: 'Load skill',
  description:
    'Load the text of a skill from list_skills. Loading counts against the budget and grants nothing: permissions that a ' +
    'skill asks for are listed with what became of them.',
  inputSchema: z.strictObject({ skillId: z.string().min(1).max(256).describe('Id from list_skills') }),
  permissions: [],
  annotations: { readOnly: true, idempotent: true },
  inputExamples: [{ skillId: 'findings-report' }],
  // Skill texts are bounded by the skill budget, and a skill is only useful whole.
  maxInlineBytes: Number.POSITIVE_INFINITY,
  async handler({ skillId }, { skills, events, callId }) {
    const loaded = await skills.load(skillId)
    if (!loaded.ok) return failedResult(loaded.error)
    const { info, body, sha256, firstLoad, changedOnDisk, budget } = loaded.value
    const wishes = (skills.wishes?.(skillId) ?? []).map((wish) => ({ ...wish }))
    events.record({
      type: 'skill.loaded',
      callId,
      data: { skill: info.id, sha256, bytes: info.bytes, firstLoad, changedOnDisk },
    })
    const again = firstLoad ? '' : ' (was loaded before)'
    const changed = changedOnDisk ? '; the file has changed since, this run keeps its first text' : ''
    return okResult(`Loaded skill ${info.id}: ${info.bytes} bytes${again}${changed}`, {
      id: info.id,
      description: info.description,
      body,
      sha256,
      changedOnDisk,
      files: `skills/${info.id}/`,
      permissionRequests: wishes,
      budget: { ...budget },
    })
  },
})
