import { MAX_TAGS } from '../check-write.ts'
import type { GroupDecisions, ReviewVerdict } from './group-decisions.ts'
import type { FoundCandidate } from './read-candidates.ts'

/**
 * `waiting` for a person; `accepted` and not yet sent; `uncertain`: sent, and the answer was lost; `stored` in the external
 * memory; `rejected`.
 */
export type ReviewState = ReviewVerdict | 'uncertain' | 'stored'

/** Equal proposals of all runs, and what was decided about them. */
export interface ReviewGroup {
  key: string
  scope: string
  state: ReviewState
  /** The text that would be stored: the person's own where they edited it. */
  content: string
  /** What was proposed. */
  proposed: string
  tags: string[]
  /** Runs that proposed it: “seen in N runs”. */
  runs: string[]
  /** How often it was proposed. */
  times: number
  firstAt: string
  lastAt: string
  /** Kinds of secrets in `content`; promotion needs `allowFlagged`. */
  flagged: string[]
  /** Keys of groups of the same scope that say nearly the same. */
  similar: string[]
  /** Id in the external memory, once stored there. */
  storedId: string | null
  /** Who decided last and when. */
  decided: { by: string | null; at: string; reason: string | null } | null
  /** Where the proposals came from, the oldest first, at most 20. */
  origins: ReviewOrigin[]
}

/** Provenance of one proposal. */
export interface ReviewOrigin {
  run: string
  callId: string | null
  tool: string | null
  actor: string | null
  model: string | null
  at: string
}

const MAX_ORIGINS = 20

/** Makes a group of the candidates of one key. */
export function toReviewGroup(found: readonly FoundCandidate[], decisions: GroupDecisions): ReviewGroup {
  const ordered = [...found].sort((one, other) => compare(one.candidate.at, other.candidate.at))
  const [first] = ordered as [FoundCandidate, ...FoundCandidate[]]
  const { edited, last } = decisions
  const tags = edited?.tags ?? ordered.flatMap(({ candidate }) => candidate.tags)
  return {
    key: first.candidate.key,
    scope: first.candidate.scope,
    state: stateOf(decisions),
    content: edited?.content ?? first.candidate.content,
    proposed: first.candidate.content,
    tags: [...new Set(tags)].slice(0, MAX_TAGS),
    runs: [...new Set(ordered.map(({ run }) => run))],
    times: ordered.length,
    firstAt: first.candidate.at,
    lastAt: ordered.at(-1)?.candidate.at ?? first.candidate.at,
    flagged: edited?.flagged ?? [...new Set(ordered.flatMap(({ candidate }) => candidate.flagged))].sort(),
    similar: [],
    storedId: decisions.stored?.id ?? null,
    decided: last && { by: last.by, at: last.at, reason: 'reason' in last ? last.reason : null },
    origins: ordered.slice(0, MAX_ORIGINS).map(originOf),
  }
}

function stateOf({ verdict, open, stored }: GroupDecisions): ReviewState {
  if (stored) return 'stored'
  return open.length > 0 ? 'uncertain' : verdict
}

function originOf({ candidate, run }: FoundCandidate): ReviewOrigin {
  const { callId, tool, actor, model, at } = candidate
  return { run, callId, tool, actor: actor?.id ?? null, model, at }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
