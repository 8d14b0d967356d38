import { basename } from 'node:path'
import type { SkillProblem } from '@kgent/contracts'
import type { UsableSkill } from './discover-skills.ts'
import { remarkAt } from './skill-finding.ts'

/**
 * One skill for each id, the same whatever order folders were made in: the first root wins; in one root, the folder that
 * has the id as its name; else the smallest path. The others are problems, and the winner's remarks name them.
 */
export function settleClashes(skills: readonly UsableSkill[]): {
  winners: UsableSkill[]
  problems: SkillProblem[]
} {
  const problems: SkillProblem[] = []
  const winners: UsableSkill[] = []
  for (const group of groupsById(skills)) {
    const [winner, ...losers] = group.sort(compareRank) as [UsableSkill, ...UsableSkill[]]
    winners.push(winner)
    if (losers.length === 0) continue
    const places = group.map(({ file }) => file).join(', ')
    const clash = `${group.length} skills are called ${winner.skill.id}: ${places}.`
    winner.findings.push(remarkAt(null, `${clash} This one is used.`))
    for (const { file } of losers) problems.push({ file, reason: `${clash} ${winner.file} is used.` })
  }
  winners.sort((one, other) => (one.skill.id < other.skill.id ? -1 : 1))
  return { winners, problems }
}

/** Ids that differ in case only are one: on some systems their folders would be. */
function groupsById(skills: readonly UsableSkill[]): UsableSkill[][] {
  const groups = new Map<string, UsableSkill[]>()
  for (const skill of skills) {
    const key = skill.skill.id.toLowerCase()
    groups.set(key, [...(groups.get(key) ?? []), skill])
  }
  return [...groups.values()]
}

function compareRank(one: UsableSkill, other: UsableSkill): number {
  const byRoot = one.folder.root.rank - other.folder.root.rank
  if (byRoot !== 0) return byRoot
  const byName = Number(isNamesake(other)) - Number(isNamesake(one))
  if (byName !== 0) return byName
  return one.file < other.file ? -1 : 1
}

function isNamesake({ folder, skill }: UsableSkill): boolean {
  return basename(folder.dir) === skill.id
}
