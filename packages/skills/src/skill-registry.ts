import {
  fail,
  KgentError,
  type Outcome,
  type PermissionWish,
  type SkillInfo,
  type SkillProblem,
  type SkillRegistry,
  succeed,
} from '@kgent/contracts'
import { type CheckedSkill, checkSkill, discoverSkills, isUsable, reasonOf } from './discover-skills.ts'
import { createLoadedBudget, type DEFAULT_BUDGET, type LoadedBudget } from './loaded-budget.ts'
import { nearestId } from './nearest-id.ts'
import { type RegisteredSkill, registered, rememberSkills } from './registered-skills.ts'
import { settleClashes } from './settle-clashes.ts'
import { type FixedSkillInfo, toSkillInfo } from './skill-info.ts'
import type { SkillRoot } from './skill-roots.ts'

type Failure = Extract<Outcome<never>, { ok: false }>

export interface SkillRegistryOptions {
  /** Folders of skills, the most important first. */
  roots: readonly SkillRoot[]
  /** Default: 8 skills, 256 KiB of text. */
  budget?: Partial<typeof DEFAULT_BUDGET>
  /** Refuse what the specification's validator refuses. Default false: remark on it where the meaning is clear. */
  strict?: boolean
  /** How many folders below a root a skill may lie. Default 3. */
  maxDepth?: number
  /** Default 500. */
  maxSkills?: number
  /** What the host's policy made of a skill's requests; shown when the skill is loaded. */
  wishesOf?: (skillId: string) => readonly PermissionWish[]
}

const DEFAULT_MAX_DEPTH = 3
const DEFAULT_MAX_SKILLS = 500

/**
 * Looks through the roots once and keeps what it found for a run.
 *
 * **Throws:** `KgentError` (`config_invalid`) for options that cannot work; a broken skill or folder is a problem in the list.
 */
export async function createSkillRegistry(options: SkillRegistryOptions): Promise<SkillRegistry> {
  const budget = createLoadedBudget(options.budget)
  if (!Array.isArray(options.roots)) {
    throw new KgentError(
      'config_invalid',
      'Give roots, a list of { dir } with the host path of a folder of skills each.',
    )
  }
  const { checked, problems, skipped } = await discoverSkills({
    roots: options.roots,
    strict: options.strict ?? false,
    maxDepth: wholeNumber('maxDepth', options.maxDepth ?? DEFAULT_MAX_DEPTH),
    maxSkills: wholeNumber('maxSkills', options.maxSkills ?? DEFAULT_MAX_SKILLS),
  })
  const usable = checked.filter(isUsable)
  for (const { file, findings, skill } of checked) {
    if (skill === null) problems.push({ file, reason: reasonOf(findings) })
  }
  const settled = settleClashes(usable)
  return registryOf(settled.winners.map(registered), {
    budget,
    problems: sorted([...problems, ...skipped, ...settled.problems]),
    strict: options.strict ?? false,
    wishesOf: options.wishesOf ?? (() => []),
  })
}

interface RegistryParts {
  budget: LoadedBudget
  problems: readonly SkillProblem[]
  strict: boolean
  wishesOf: (skillId: string) => readonly PermissionWish[]
}

/** What a run has read of a skill: fixed by the first load. */
interface Snapshot {
  info: FixedSkillInfo
  body: string
  sha256: string
}

function registryOf(skills: readonly RegisteredSkill[], parts: RegistryParts): SkillRegistry {
  const { budget, problems, strict, wishesOf } = parts
  const byId = new Map(skills.map((entry) => [entry.info.id, entry]))
  const snapshots = new Map<string, Snapshot>()
  const withState = (info: FixedSkillInfo): SkillInfo => ({
    ...structuredClone(info),
    loaded: budget.has(info.id),
  })

  const registry: SkillRegistry = {
    async list() {
      return {
        skills: skills.map(({ info }) => withState(snapshots.get(info.id)?.info ?? info)),
        problems: structuredClone([...problems]),
        budget: budget.state(),
      }
    },
    async load(id) {
      const entry = byId.get(id)
      if (!entry) return notFound(id, [...byId.keys()])
      const now = await checkSkill(entry.folder, { strict })
      // From here on nothing waits, so that loads at the same time charge once and see each other's charge.
      const snapshot = snapshots.get(id) ?? firstSnapshot(entry, now)
      if ('ok' in snapshot) return snapshot
      const firstLoad = !budget.has(id)
      const refusal = firstLoad ? budget.charge(id, snapshot.info.bytes) : null
      if (refusal) return { ok: false, error: refusal }
      snapshots.set(id, snapshot)
      const { info, body, sha256 } = snapshot
      const changedOnDisk = now.sha256 !== sha256
      return succeed({
        info: withState(info),
        body,
        sha256,
        firstLoad,
        changedOnDisk,
        budget: budget.state(),
      })
    },
    unload: (id) => budget.free(id),
    wishes: (id) => (byId.has(id) ? wishesOf(id) : []),
  }
  rememberSkills(registry, skills)
  return registry
}

/** The text as it is now. What it asks for stays what it asked for when the policy was made. */
function firstSnapshot(found: RegisteredSkill, now: CheckedSkill): Snapshot | Failure {
  const { id, requests } = found.info
  if (!isUsable(now)) {
    return fail(
      'skill_unreadable',
      `Skill ${id} became unusable after it was found: ${reasonOf(now.findings)}`,
    )
  }
  if (now.skill.id !== id) {
    return fail('skill_unreadable', `Skill ${id} was renamed after it was found; start a new run to use it.`)
  }
  const info = now.sha256 === found.sha256 ? found.info : { ...toSkillInfo(now), requests }
  return { info, body: now.skill.body, sha256: now.sha256 }
}

function notFound(id: string, ids: readonly string[]): Outcome<never> {
  const near = nearestId(id, ids)
  const known = ids.slice(0, 50).join(', ') + (ids.length > 50 ? ` and ${ids.length - 50} more` : '')
  return fail('skill_not_found', `There is no such skill. The skills are: ${known || 'none'}.`, {
    hint: near === undefined ? undefined : `Did you mean ${near}?`,
  })
}

function sorted(problems: SkillProblem[]): SkillProblem[] {
  return problems.sort((one, other) => (one.file < other.file ? -1 : one.file > other.file ? 1 : 0))
}

function wholeNumber(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new KgentError('config_invalid', `${name} of the skills must be a whole number from 1.`)
}
