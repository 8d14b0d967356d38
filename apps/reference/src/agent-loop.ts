import { aiSdkTools, repairToolCall } from '@kgent/adapter-ai-sdk'
import type { BoundTool, Run } from '@kgent/runtime'
import { type LanguageModel, stepCountIs, streamText, type ToolSet } from 'ai'
import { INSTRUCTIONS } from './instructions.ts'

const MAX_STEPS = 60
const MAX_FAILURE_CHARS = 300

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
export async function agentLoop(run: Run, options: LoopOptions): Promise<LoopEnd> {
  const end: LoopEnd = { text: '', steps: 0, failure: null }
  const { fullStream } = streamText({
    model: options.model,
    system: INSTRUCTIONS,
    prompt: options.task,
    // The adapter's types come from whichever major it was built with; its tools work in all of them.
    tools: aiSdkTools(options.tools, { approval: 'host' }) as unknown as ToolSet,
    experimental_repairToolCall: repairToolCall(run) as never,
    stopWhen: stepCountIs(MAX_STEPS),
    abortSignal: options.signal,
    // Without it the SDK prints errors, stacks included, by itself.
    onError: ({ error }) => {
      end.failure ??= oneLine(error)
    },
  })
  try {
    let finishReason = ''
    for await (const part of fullStream) {
      if (part.type === 'start-step') end.text = ''
      if (part.type === 'text-delta') {
        end.text += part.text
        options.onWords(part.text)
      }
      if (part.type === 'text-end') options.onWords('\n')
      if (part.type === 'finish-step') {
        end.steps += 1
        finishReason = part.finishReason
      }
    }
    end.failure ??= cutShort(finishReason, end.steps)
  } catch (thrown) {
    end.failure ??= oneLine(thrown)
  }
  return end
}

function cutShort(finishReason: string, steps: number): string | null {
  if (finishReason === 'length') return 'its answer was cut at the length limit of the model'
  return finishReason === 'tool-calls' && steps >= MAX_STEPS
    ? `it was stopped after ${MAX_STEPS} steps`
    : null
}

function oneLine(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return message.replace(/\s+/g, ' ').slice(0, MAX_FAILURE_CHARS)
}
