import type { ApprovalAnswer } from '@kgent/tools-core'
import { restartTool, type ToolRequestPart } from 'genkit'

/**
 * A person's answer to an interrupt, for `resume.restart` of `generate`. A rejected call is restarted as well: it runs
 * nothing, is recorded, and the model reads the reason.
 */
export function answerAsk(
  interrupt: ToolRequestPart,
  { approved, reason }: Pick<ApprovalAnswer, 'approved' | 'reason'>,
): ToolRequestPart {
  return restartTool(interrupt, { approved, ...(reason === undefined ? {} : { reason }) })
}

/** The answer in a restarted call; null in every other. The core takes it only for a call that it has asked about. */
export function answerIn(resumed: unknown): ApprovalAnswer | null {
  if (typeof resumed !== 'object' || resumed === null || !('approved' in resumed)) return null
  const answer: ApprovalAnswer = { approved: resumed.approved === true, by: 'genkit' }
  return 'reason' in resumed && typeof resumed.reason === 'string'
    ? { ...answer, reason: resumed.reason }
    : answer
}
