import type { BoundTool, Run } from '@kgent/runtime'
import type { LanguageModel } from 'ai'

export interface LoopOptions {
  model: LanguageModel
  task: string
  /** The tools that the model gets; those of the run, or watched ones. */
  tools: readonly BoundTool[]
  signal: AbortSignal
  /** Hears what the model says, as it says it. */
  onWords(text: string): void
}

export interface LoopEnd {
  /** The model's closing words. */
  text: string
  steps: number
  /** Why the loop did not come to its end, in one line; null when it did. */
  failure: string | null
}

/** Lets a model work on a task with a run's tools until it makes no more calls. Never rejects. */
export type AgentLoop = (run: Run, options: LoopOptions) => Promise<LoopEnd>

/** Steps after which a loop is stopped. */
export const MAX_STEPS = 60

const MAX_FAILURE_CHARS = 300

export function oneLine(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return message.replace(/\s+/g, ' ').slice(0, MAX_FAILURE_CHARS)
}
