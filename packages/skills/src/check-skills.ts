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
  /** True when every skill is usable and there are no problems. */
  ok: boolean
  skills: SkillReport[]
  /** Clashes, folders that cannot be read, files where no host would find them. */
  problems: SkillProblem[]
  /** Files that look like skills inside a skill, in `node_modules` or in a hidden folder. */
  skipped: SkillProblem[]
}

/** Checks a folder of skills, or one skill's own folder, for a skill author's eyes. Never rejects. */
export async function checkSkills(options: { dir: string; strict?: boolean }): Promise<SkillCheck> {
  const strict = options.strict ?? false
  const dir = resolve(options.dir)
  if (await isFile(join(dir, 'SKILL.md'))) return checkOne(dir, strict)
  const { checked, problems, skipped } = await discoverSkills({
    roots: [{ dir }],
    strict,
    maxDepth: 3,
    maxSkills: 10_000,
  })
  const usable = checked.filter(isUsable)
  const clashes = settleClashes(usable).problems
  return summarise(checked, { problems: [...problems, ...clashes], skipped })
}

async function checkOne(dir: string, strict: boolean): Promise<SkillCheck> {
  const { open, problems } = await openRoots([{ dir: dirname(dir) }])
  const [root] = open
  if (!root) return summarise([], { problems, skipped: [] })
  const folder = { root, dir: join(root.dir, basename(dir)), fileName: 'SKILL.md', place: basename(dir) }
  return summarise([await checkSkill(folder, { strict })], { problems: [], skipped: [] })
}

function summarise(
  checked: readonly CheckedSkill[],
  beside: Pick<SkillCheck, 'problems' | 'skipped'>,
): SkillCheck {
  return {
    ok: beside.problems.length === 0 && checked.every(({ skill }) => skill !== null),
    skills: checked.map(({ file, skill, findings }) => ({ file, id: skill?.id ?? null, findings })),
    ...beside,
  }
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
}
