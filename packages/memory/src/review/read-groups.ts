import { type ErrorInfo, fail, KgentError } from '@kgent/contracts'
import { type DecisionLedger, LEDGER_FILE } from './decision-ledger.ts'
import { type FoundCandidate, type ReviewProblem, readCandidates } from './read-candidates.ts'
import { type ReviewGroup, toReviewGroup } from './review-group.ts'

/** Where groups are read from. */
export interface ReviewSource {
  runsDir: string
  ledger: DecisionLedger
}

export interface ReadGroups {
  groups: ReviewGroup[]
  problems: ReviewProblem[]
}

/**
 * Every group as the files have it now, without hints at similar ones.
 * **Throws:** `KgentError` when the runs folder or the ledger cannot be read.
 */
export async function readGroups(source: ReviewSource): Promise<ReadGroups> {
  const { found, problems } = await readCandidates(source.runsDir)
  await source.ledger.refresh()
  const groups = [...groupByKey(found)].map(([key, candidates]) =>
    toReviewGroup(candidates, source.ledger.of(key)),
  )
  const bad = source.ledger.badLines.map((line) => ({
    file: LEDGER_FILE,
    line,
    reason: 'This line is no decision; it was passed over.',
  }))
  return { groups, problems: [...problems, ...bad] }
}

function groupByKey(found: readonly FoundCandidate[]): Map<string, FoundCandidate[]> {
  const groups = new Map<string, FoundCandidate[]>()
  for (const entry of found) {
    const group = groups.get(entry.candidate.key)
    if (group) group.push(entry)
    else groups.set(entry.candidate.key, [entry])
  }
  return groups
}

/** The groups that more runs proposed first, then the older ones. */
export function compareGroups(one: ReviewGroup, other: ReviewGroup): number {
  return other.runs.length - one.runs.length || (one.firstAt < other.firstAt ? -1 : 1)
}

const MIN_KEY_CHARS = 4

export type FoundGroup =
  | { ok: true; value: ReviewGroup; all: readonly ReviewGroup[] }
  | { ok: false; error: ErrorInfo }

/** The group of a key, or of the beginning of one, and all others beside it. */
export async function findGroup(source: ReviewSource, key: string): Promise<FoundGroup> {
  const read = await readGroups(source).catch((thrown: unknown) => thrown)
  if (KgentError.is(read)) return { ok: false, error: read.info }
  const { groups: all } = read as ReadGroups
  const exact = all.find((group) => group.key === key)
  if (exact) return { ok: true, value: exact, all }
  const near = key.length < MIN_KEY_CHARS ? [] : all.filter((group) => group.key.startsWith(key))
  if (near.length > 1) {
    return fail('invalid_input', `${near.length} candidates begin with ${key}; give more of the key.`)
  }
  const [only] = near
  return only
    ? { ok: true, value: only, all }
    : fail('not_found', 'No candidate has this key; list shows the keys.')
}
