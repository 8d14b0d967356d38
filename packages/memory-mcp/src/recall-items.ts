import { KgentError, type MemoryItem, type MemoryRecallOptions } from '@kgent/contracts'
import type { Dialect, Recall } from './dialect.ts'
import type { ServerLink } from './server-link.ts'
import type { ToolAnswer } from './tool-answer.ts'
import { untilAborted } from './until-aborted.ts'

export interface Memory {
  readonly dialect: Dialect
  readonly link: ServerLink
}

const ABORTED: ToolAnswer = { kind: 'not sent', why: 'aborted' }

/** Items of exactly the scope; every way of not knowing is a rejection. */
export async function recallItems(
  { dialect, link }: Memory,
  wanted: Recall,
  { signal }: MemoryRecallOptions,
): Promise<MemoryItem[]> {
  if (!wanted.scope) throw new KgentError('memory_scope', 'The memory scope is missing.')
  const limit = wanted.limit >= 1 ? Math.floor(wanted.limit) : 0
  if (limit === 0) return []
  const recall = { ...wanted, limit: Math.min(limit, Number.MAX_SAFE_INTEGER) }
  const calling = link.call(dialect.recall(recall), { signal, onSend: () => {} })
  const answer = await untilAborted(calling, { signal, onAbort: () => ABORTED })
  if (signal?.aborted) throw new KgentError('aborted', 'The recall was cancelled.')
  const items = answer.kind === 'answer' ? dialect.items(answer.value, recall) : null
  if (items === null) throw new KgentError('memory_unavailable', problem(answer))
  return items.slice(0, limit)
}

function problem(answer: ToolAnswer): string {
  if (answer.kind === 'answer') return 'The memory server’s answer is not in the form that was configured.'
  return answer.kind === 'refused' ? 'The memory server reported a failure.' : answer.why
}
