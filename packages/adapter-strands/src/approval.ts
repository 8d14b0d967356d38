import type { ApprovalAnswer, BoundTool } from '@kgent/tools-core'
import type { JSONValue, ToolContext } from '@strands-agents/sdk'

/**
 * A person's answer to a call that a rule wants asked about, through an interrupt of the agent. Throws the interrupt
 * when there is no answer yet; null when nobody has to be asked, or nobody can be.
 *
 * The order matters: the core is told of the ask only once the agent has really stopped for it. An answer that is there
 * before anybody was asked (a snapshot that somebody wrote) finds no ask, and the core refuses it.
 */
export async function answerFromInterrupt(
  tool: BoundTool,
  input: unknown,
  context: ToolContext,
): Promise<ApprovalAnswer | null> {
  const { toolUseId: toolCallId } = context.toolUse
  const { decision, reason } = await tool.decide(input, { toolCallId, replay: true })
  if (decision !== 'ask') return null
  try {
    const asked = { tool: tool.name, input: context.toolUse.input, reason }
    return answerOf(context.interrupt<JSONValue>({ name: 'approval', reason: asked }))
  } catch (thrown) {
    // A tool that is called directly cannot interrupt: the host's approver is asked instead.
    if (!(thrown instanceof Error) || thrown.name !== 'InterruptError') return null
    await tool.decide(input, { toolCallId })
    throw thrown
  }
}

/** Strands' own words for yes; with an object a person can also be named and give a reason. Anything else is a no. */
function answerOf(response: JSONValue): ApprovalAnswer {
  if (typeof response !== 'object' || response === null || Array.isArray(response)) {
    return { approved: isYes(response), by: 'strands' }
  }
  const { approved, by, reason } = response
  const answer: ApprovalAnswer = { approved: isYes(approved), by: typeof by === 'string' ? by : 'strands' }
  return typeof reason === 'string' ? { ...answer, reason } : answer
}

function isYes(response: JSONValue | undefined): boolean {
  if (typeof response !== 'string') return response === true
  return ['y', 'yes'].includes(response.trim().toLowerCase())
}
