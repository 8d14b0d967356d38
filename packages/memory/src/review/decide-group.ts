import { type ErrorInfo, errorInfo, fail, type Outcome, succeed } from '@kgent/contracts'
import { checkWrite } from '../check-write.ts'
import type { MemoryLimits } from '../memory-limits.ts'
import { type ScanSecrets, secretsIn } from '../secrets-in.ts'
import type { MemoryDecision } from './decision.ts'
import { findGroup, type ReviewSource } from './read-groups.ts'
import type { ReviewGroup } from './review-group.ts'

/** Who decides, and what an edited text is checked with. */
export interface Reviewer extends ReviewSource {
  by: string | null
  limits: MemoryLimits
  scanSecrets?: ScanSecrets
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

type Verdict = Pick<MemoryDecision & { type: 'accept' | 'reject' }, 'type' | 'reason'> | EditDecision
type EditDecision = Pick<
  MemoryDecision & { type: 'edit' },
  'type' | 'reason' | 'content' | 'tags' | 'flagged'
>

/** Writes a decision into the ledger, unless it comes too late. */
export async function decide(
  reviewer: Reviewer,
  decision: Verdict & { key: string },
): Promise<Outcome<ReviewGroup>> {
  const group = await findGroup(reviewer, decision.key)
  if (!group.ok) return group
  const { key } = group.value
  const before = cannotDecide(group.value, decision)
  if (before) return { ok: false, error: before }
  try {
    const line = { v: 1, at: new Date().toISOString(), by: reviewer.by, ...decision, key } as MemoryDecision
    reviewer.ledger.append(line)
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown fault'
    return fail('io_error', `The decision could not be written (${code}); nothing was decided.`)
  }
  const after = await findGroup(reviewer, key)
  // A promotion that began in between makes the decision void.
  const overtaken = after.ok ? cannotDecide(after.value, decision) : null
  return overtaken ? { ok: false, error: overtaken } : after.ok ? succeed(after.value) : after
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

/** Accepts a person's own text, checked like any other. */
export async function editGroup(
  reviewer: Reviewer,
  { key, edited }: { key: string; edited: EditedMemory },
): Promise<Outcome<ReviewGroup>> {
  const group = await findGroup(reviewer, key)
  if (!group.ok) return group
  const { content } = edited
  const tags = edited.tags ?? group.value.tags
  const fault = checkWrite({ content, tags }, reviewer.limits)
  if (fault) return { ok: false, error: fault }
  const flagged = await secretsIn([content, ...tags], reviewer.scanSecrets)
  return decide(reviewer, {
    key: group.value.key,
    type: 'edit',
    reason: edited.reason ?? null,
    content,
    tags,
    flagged,
  })
}
