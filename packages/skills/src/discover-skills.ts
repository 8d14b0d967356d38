import { basename, join } from 'node:path'
import type { SkillProblem } from '@kgent/contracts'
import { findSkillFiles, type SkillFolder } from './find-skill-files.ts'
import { readSkillFile } from './read-skill-file.ts'
import { findingText, remarkAt, type SkillFinding } from './skill-finding.ts'
import { openRoots, type SkillRoot } from './skill-roots.ts'
import { type ParsedSkill, validateSkill } from './validate-skill.ts'

/** One folder with a `SKILL.md`, checked. */
export interface CheckedSkill {
  folder: SkillFolder
  /** `<label>/<path>/SKILL.md`. */
  file: string
  skill: ParsedSkill | null
  /** Hash of the file's bytes; null when it could not be read. */
  sha256: string | null
  findings: SkillFinding[]
}

/** One that can be offered. */
export interface UsableSkill extends CheckedSkill {
  skill: ParsedSkill
  sha256: string
}

export function isUsable(checked: CheckedSkill): checked is UsableSkill {
  return checked.skill !== null && checked.sha256 !== null
}

export interface DiscoverOptions {
  roots: readonly SkillRoot[]
  strict: boolean
  maxDepth: number
  maxSkills: number
}

export interface Discovery {
  checked: CheckedSkill[]
  problems: SkillProblem[]
  /** Files that are no skills, and are not meant to be. */
  skipped: SkillProblem[]
}

/** Finds and checks every `SKILL.md` of the roots, in the order of roots and places. Runs nothing. */
export async function discoverSkills(options: DiscoverOptions): Promise<Discovery> {
  const { open, problems } = await openRoots(options.roots)
  const skipped: SkillProblem[] = []
  const folders = new Map<string, SkillFolder>()
  for (const root of open) {
    const found = await findSkillFiles(root, options)
    problems.push(...found.problems)
    skipped.push(...found.skipped)
    // A root inside another root finds the same folders again: the first finding counts.
    for (const folder of found.folders) if (!folders.has(folder.dir)) folders.set(folder.dir, folder)
  }
  const kept = [...folders.values()]
  for (const folder of kept.splice(options.maxSkills)) {
    problems.push({
      file: fileOf(folder),
      reason: `Skipped: there are more than ${options.maxSkills} skills.`,
    })
  }
  const checked: CheckedSkill[] = []
  for (const folder of kept) checked.push(await checkSkill(folder, options))
  return { checked, problems, skipped }
}

/** Reads and checks the `SKILL.md` of one folder. */
export async function checkSkill(folder: SkillFolder, options: { strict: boolean }): Promise<CheckedSkill> {
  const file = fileOf(folder)
  const read = await readSkillFile(join(folder.dir, folder.fileName), folder.root.dir)
  if ('reason' in read) {
    const finding: SkillFinding = { severity: 'error', message: read.reason, line: null }
    return { folder, file, skill: null, sha256: null, findings: [finding] }
  }
  const { skill, findings } = validateSkill(read.text, {
    folder: basename(folder.dir),
    strict: options.strict,
  })
  const spelling = spellingFinding(folder, options)
  if (spelling) findings.push(spelling)
  return { folder, file, skill: spelling?.severity === 'error' ? null : skill, sha256: read.sha256, findings }
}

function fileOf({ place, fileName }: SkillFolder): string {
  return `${place}/${fileName}`
}

function spellingFinding({ fileName }: SkillFolder, { strict }: { strict: boolean }): SkillFinding | null {
  if (fileName === 'SKILL.md') return null
  const finding = remarkAt(null, `The file is called ${fileName}; other hosts look for SKILL.md only.`)
  return strict ? { ...finding, severity: 'error' } : finding
}

/** The errors of a file in one text, for a list of problems. */
export function reasonOf(findings: readonly SkillFinding[]): string {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(findingText)
    .join(' ')
}
