import type { MemoryDecision } from './decision.ts'

/** A text that a person put in the place of the proposed one. */
export interface EditedText {
  content: string
  tags: string[]
  flagged: string[]
}

/** What became of a proposal in a person’s hands. */
export type ReviewVerdict = 'waiting' | 'accepted' | 'rejected'

/** What the ledger says about one group, in the order of its lines. */
export interface GroupDecisions {
  readonly verdict: ReviewVerdict
  readonly edited: EditedText | null
  /** Attempts whose item may have been sent and whose outcome is not known, the oldest first. */
  readonly open: readonly { attempt: string; storeKey: string }[]
  /** Id in the external memory, once it is there. */
  readonly stored: { id: string | null } | null
  /** What a person said last. */
  readonly last: MemoryDecision | null
}

export const NO_DECISIONS: GroupDecisions = {
  verdict: 'waiting',
  edited: null,
  open: [],
  stored: null,
  last: null,
}

const STORED = ['written', 'duplicate', 'accepted']

/** The state after one more line. */
export function withDecision(before: GroupDecisions, decision: MemoryDecision): GroupDecisions {
  const isSent = before.stored !== null || before.open.length > 0
  // What was sent cannot be taken back or changed here.
  if (isSent && (decision.type === 'reject' || decision.type === 'edit')) return before
  const now = decision.type.startsWith('promote') ? before : { ...before, last: decision }
  switch (decision.type) {
    case 'accept':
      return { ...now, verdict: 'accepted' }
    case 'reject':
      return { ...now, verdict: 'rejected' }
    case 'edit': {
      const { content, tags, flagged } = decision
      return { ...now, verdict: 'accepted', edited: { content, tags, flagged } }
    }
    case 'promote.start': {
      const { attempt, storeKey } = decision
      return { ...now, open: [...before.open, { attempt, storeKey }] }
    }
    case 'promote.end':
      return afterAttempt(now, decision)
  }
}

/** An unknown outcome stays open. One that is known to be stored settles every attempt: they share one key. */
function afterAttempt(now: GroupDecisions, end: MemoryDecision & { type: 'promote.end' }): GroupDecisions {
  if (STORED.includes(end.status)) return { ...now, open: [], stored: { id: end.id } }
  if (end.status === 'unknown') return now
  return { ...now, open: now.open.filter(({ attempt }) => attempt !== end.attempt) }
}
