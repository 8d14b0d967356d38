import type { BoundTool } from '@kgent/tools-core'

/**
 * The mark on an input that Mastra was told to get approval for. Mastra runs a tool with the very object that it asked
 * `requireApproval` about, and only after a person has agreed; so an input that carries the mark when the tool runs is
 * an approved one. No JSON makes such an object, so neither a model nor a history can. Where Mastra runs a tool without
 * asking (code mode, the legacy methods), there is no mark.
 */
class Agreed {}

/** For a tool's `requireApproval`. Opens no ask: that is done where the call's id is known. */
export function requireApproval(tool: BoundTool): (input: unknown) => Promise<boolean> {
  return async (input) => {
    if (typeof input !== 'object' || input === null) return false
    const { decision } = await tool.decide(input, { replay: true })
    if (decision !== 'ask') return false
    Object.setPrototypeOf(input, Agreed.prototype)
    return true
  }
}

/** Whether a person has agreed to the call with this input. */
export function isAgreed(input: unknown): input is Agreed {
  return input instanceof Agreed
}
