import {
  type ErrorInfo,
  errorInfo,
  fail,
  KgentError,
  type MemoryClient,
  type Outcome,
  succeed,
} from '@kgent/contracts'
import { checkWrite } from '../check-write.ts'
import { type MemoryLimits, memoryLimits } from '../memory-limits.ts'
import { type ScanSecrets, secretsIn } from '../secrets-in.ts'
import type { MemoryDecision } from './decision.ts'
import { type DecisionLedger, LEDGER_FILE, openDecisionLedger } from './decision-ledger.ts'
import { type PromoteOptions, type PromotionReport, promoteGroups } from './promote-groups.ts'
import { type FoundCandidate, type ReviewProblem, readCandidates } from './read-candidates.ts'
import { type ReviewGroup, type ReviewState, toReviewGroup } from './review-group.ts'
import { noteSimilar } from './similar-groups.ts'

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

export interface DecisionNote {
  reason?: string
}

/** A person's text in the place of the proposed one. */
export interface EditedMemory extends DecisionNote {
  content: string
  /** Default: the tags of the group. */
  tags?: string[]
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
    show: (key) => findGroup(review, key),
    accept: (key, note) => decide(review, { key, type: 'accept', reason: note?.reason ?? null }),
    reject: (key, note) => decide(review, { key, type: 'reject', reason: note?.reason ?? null }),
    edit: (key, edited) => editGroup(review, { key, edited }),
    promote: async (client, promoteOptions = {}) => {
      const { groups } = await listGroups(review, { states: ['accepted', 'uncertain'] })
      return promoteGroups({ client, ledger, groups, by: review.by }, promoteOptions)
    },
  }
}

interface OpenReview extends Omit<MemoryReviewOptions, 'by' | 'limits'> {
  ledger: DecisionLedger
  by: string | null
  limits: MemoryLimits
}

async function listGroups(review: OpenReview, filter: ReviewFilter): Promise<ReviewList> {
  const { found, problems } = await readCandidates(review.runsDir)
  await review.ledger.refresh()
  const byKey = groupByKey(found)
  const groups = [...byKey].map(([key, candidates]) => toReviewGroup(candidates, review.ledger.of(key)))
  noteSimilar(groups)
  const bad = review.ledger.badLines.map((line) => ({
    file: LEDGER_FILE,
    line,
    reason: 'This line is no decision; it was passed over.',
  }))
  return {
    groups: groups.filter((group) => matches(group, filter)).sort(compareGroups),
    problems: [...problems, ...bad],
  }
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

function matches(group: ReviewGroup, { states, scope }: ReviewFilter): boolean {
  return (states?.includes(group.state) ?? true) && (scope === undefined || group.scope === scope)
}

function compareGroups(one: ReviewGroup, other: ReviewGroup): number {
  return other.runs.length - one.runs.length || (one.firstAt < other.firstAt ? -1 : 1)
}

const MIN_KEY_CHARS = 4

async function findGroup(review: OpenReview, key: string): Promise<Outcome<ReviewGroup>> {
  const listed = await listGroups(review, {}).catch((thrown: unknown) => thrown)
  if (KgentError.is(listed)) return { ok: false, error: listed.info }
  const { groups } = listed as ReviewList
  const exact = groups.find((group) => group.key === key)
  if (exact) return succeed(exact)
  const near = key.length < MIN_KEY_CHARS ? [] : groups.filter((group) => group.key.startsWith(key))
  if (near.length > 1)
    return fail('invalid_input', `${near.length} candidates begin with ${key}; give more of the key.`)
  const [only] = near
  return only ? succeed(only) : fail('not_found', 'No candidate has this key; list shows the keys.')
}

type Verdict = Pick<MemoryDecision & { type: 'accept' | 'reject' }, 'type' | 'reason'> | EditDecision
type EditDecision = Pick<
  MemoryDecision & { type: 'edit' },
  'type' | 'reason' | 'content' | 'tags' | 'flagged'
>

async function decide(
  review: OpenReview,
  decision: Verdict & { key: string },
): Promise<Outcome<ReviewGroup>> {
  const group = await findGroup(review, decision.key)
  if (!group.ok) return group
  const { key } = group.value
  const before = cannotDecide(group.value, decision)
  if (before) return { ok: false, error: before }
  try {
    const line = { v: 1, at: new Date().toISOString(), by: review.by, ...decision, key } as MemoryDecision
    review.ledger.append(line)
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown fault'
    return fail('io_error', `The decision could not be written (${code}); nothing was decided.`)
  }
  const after = await findGroup(review, key)
  // A promotion that began in between makes the decision void.
  const overtaken = after.ok ? cannotDecide(after.value, decision) : null
  return overtaken ? { ok: false, error: overtaken } : after
}

function cannotDecide({ state }: ReviewGroup, { type }: Verdict): ErrorInfo | null {
  if (state === 'stored') {
    return errorInfo('invalid_input', 'It is stored already; change or remove it in the memory service.')
  }
  if (state !== 'uncertain' || type === 'accept') return null
  return errorInfo(
    'invalid_input',
    'It was sent to the memory service and the answer was lost; promote again first.',
  )
}

async function editGroup(
  review: OpenReview,
  { key, edited }: { key: string; edited: EditedMemory },
): Promise<Outcome<ReviewGroup>> {
  const group = await findGroup(review, key)
  if (!group.ok) return group
  const { content } = edited
  const tags = edited.tags ?? group.value.tags
  const fault = checkWrite({ content, tags }, review.limits)
  if (fault) return { ok: false, error: fault }
  const flagged = await secretsIn([content, ...tags], review.scanSecrets)
  return decide(review, {
    key: group.value.key,
    type: 'edit',
    reason: edited.reason ?? null,
    content,
    tags,
    flagged,
  })
}
