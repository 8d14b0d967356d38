import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { SkillProblem } from '@kgent/contracts'
import { type CheckedSkill, checkSkill, discoverSkills, isUsable } from './discover-skills.ts'
import { settleClashes } from './settle-clashes.ts'
import type { SkillFinding } from './skill-finding.ts'
import { openRoots } from './skill-roots.ts'

/** What an author is told about one `SKILL.md`. */
export interface SkillReport {
  /** `<folder>/<path>/SKILL.md`. */
  file: string
  /** Null when it is not usable. */
  id: string | null
  findings: SkillFinding[]
}

export interface SkillCheck {
  /** True when every skill is usable and nothing was skipped. */
  ok: boolean
  skills: SkillReport[]
  /** Files that look like skills and are not searched, clashes, folders that cannot be read. */
  problems: SkillProblem[]
}

/** Checks a folder of skills, or one skill's own folder, for a skill author's eyes. Never rejects. */
export async function checkSkills(options: { dir: string; strict?: boolean }): Promise<SkillCheck> {
  const strict = options.strict ?? false
  const dir = resolve(options.dir)
  if (await isFile(join(dir, 'SKILL.md'))) return checkOne(dir, strict)
  const { checked, problems } = await discoverSkills({
    roots: [{ dir }],
    strict,
    maxDepth: 3,
    maxSkills: 10_000,
  })
  const usable = checked.filter(isUsable)
  const clashes = settleClashes(usable).problems
  return summarise(checked, [...problems, ...clashes])
}

async function checkOne(dir: string, strict: boolean): Promise<SkillCheck> {
  const { open, problems } = await openRoots([{ dir: dirname(dir) }])
  const [root] = open
  if (!root) return summarise([], problems)
  const folder = { root, dir: join(root.dir, basename(dir)), fileName: 'SKILL.md', place: basename(dir) }
  return summarise([await checkSkill(folder, { strict })], [])
}

function summarise(checked: CheckedSkill[], problems: SkillProblem[]): SkillCheck {
  return {
    ok: problems.length === 0 && checked.every(({ skill }) => skill !== null),
    skills: checked.map(({ file, skill, findings }) => ({ file, id: skill?.id ?? null, findings })),
    problems,
  }
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
}
