import { KgentError, type MemoryClient, type Outcome, succeed } from '@kgent/contracts'
import { type MemoryLimits, memoryLimits } from '../memory-limits.ts'
import type { ScanSecrets } from '../secrets-in.ts'
import { type DecisionNote, decide, type EditedMemory, editGroup } from './decide-group.ts'
import { openDecisionLedger } from './decision-ledger.ts'
import { type PromoteOptions, type PromotionReport, promoteGroups } from './promote-groups.ts'
import type { ReviewProblem } from './read-candidates.ts'
import { compareGroups, findGroup, type ReviewSource, readGroups } from './read-groups.ts'
import type { ReviewGroup, ReviewState } from './review-group.ts'
import { findSimilar } from './similar-groups.ts'

export interface MemoryReviewOptions {
  /** Host path of the folder that holds one folder a run. */
  runsDir: string
  /** Who reviews, for the ledger. */
  by?: string
  /** Looks for secrets in edited texts. */
  scanSecrets?: ScanSecrets
  limits?: Partial<MemoryLimits>
}

export interface ReviewFilter {
  /** Default: every state. */
  states?: readonly ReviewState[]
  scope?: string
}

export interface ReviewList {
  /** Those that more runs proposed first, then the older. */
  groups: ReviewGroup[]
  /** Lines and files that could not be read. */
  problems: ReviewProblem[]
}

/**
 * Review of what agents proposed, over all runs: for a person or the host's own code, never for an agent.
 * `key` is a group's key, or its beginning as far as that is unambiguous (four characters at least).
 */
export interface MemoryReview {
  /** **Throws:** `KgentError` when the runs folder or the ledger cannot be read; so does `promote`. */
  list(filter?: ReviewFilter): Promise<ReviewList>
  show(key: string): Promise<Outcome<ReviewGroup>>
  accept(key: string, note?: DecisionNote): Promise<Outcome<ReviewGroup>>
  /** Accepts a person's own text in the place of the proposed one. */
  edit(key: string, edited: EditedMemory): Promise<Outcome<ReviewGroup>>
  reject(key: string, note?: DecisionNote): Promise<Outcome<ReviewGroup>>
  /** Stores what is accepted in an external memory, each exactly once. */
  promote(client: MemoryClient, options?: PromoteOptions): Promise<PromotionReport>
}

/** Opens the review of a runs folder. **Throws:** `KgentError` (`config_invalid`). */
export function openMemoryReview(options: MemoryReviewOptions): MemoryReview {
  if (typeof options.runsDir !== 'string' || options.runsDir === '') {
    throw new KgentError('config_invalid', 'Give runsDir, the folder that holds one folder a run.')
  }
  const ledger = openDecisionLedger(options.runsDir)
  const review = { ...options, ledger, by: options.by ?? null, limits: memoryLimits(options.limits) }
  return {
    list: (filter) => listGroups(review, filter ?? {}),
    show: (key) => showGroup(review, key),
    accept: (key, note) => decide(review, { key, type: 'accept', reason: note?.reason ?? null }),
    reject: (key, note) => decide(review, { key, type: 'reject', reason: note?.reason ?? null }),
    edit: (key, edited) => editGroup(review, { key, edited }),
    promote: async (client, promoteOptions = {}) => {
      const { groups } = await readGroups(review)
      const open = groups.filter(({ state }) => state === 'accepted' || state === 'uncertain')
      return promoteGroups(
        { client, ledger, groups: open.sort(compareGroups), by: review.by },
        promoteOptions,
      )
    },
  }
}

async function listGroups(review: ReviewSource, filter: ReviewFilter): Promise<ReviewList> {
  const { groups, problems } = await readGroups(review)
  const similar = findSimilar(groups)
  const shown = groups.filter((group) => matches(group, filter)).sort(compareGroups)
  return { groups: shown.map((group) => ({ ...group, similar: similar.to(group) })), problems }
}

async function showGroup(review: ReviewSource, key: string): Promise<Outcome<ReviewGroup>> {
  const found = await findGroup(review, key)
  return found.ok ? succeed({ ...found.value, similar: findSimilar(found.all).to(found.value) }) : found
}

function matches(group: ReviewGroup, { states, scope }: ReviewFilter): boolean {
  return (states?.includes(group.state) ?? true) && (scope === undefined || group.scope === scope)
}
