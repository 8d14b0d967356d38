import { aiSdkTools } from '@kgent/adapter-ai-sdk'
import type { Run } from '@kgent/runtime'
import { type LanguageModel, stepCountIs, streamText, type ToolSet } from 'ai'
import { INSTRUCTIONS, TASK } from './instructions.ts'

const MAX_STEPS = 40

export interface LoopEnd {
  /** The model's closing words. */
  text: string
  steps: number
  /** Why the loop did not come to its end, in one line; null when it did. */
  failure: string | null
}

/** Lets a model work on the task with the run's tools until it has said its closing words. Never rejects. */
export async function agentLoop(run: Run, model: LanguageModel, signal: AbortSignal): Promise<LoopEnd> {
  let failure: string | null = null
  try {
    const result = streamText({
      model,
      system: INSTRUCTIONS,
      prompt: TASK,
      // In this workspace the adapter is typed by another major of the SDK than the app uses.
      tools: aiSdkTools(run.tools, { approval: 'host' }) as unknown as ToolSet,
      stopWhen: stepCountIs(MAX_STEPS),
      abortSignal: signal,
      maxRetries: 2,
      onError: ({ error }) => {
        failure ??= oneLine(error)
      },
    })
    await result.consumeStream()
    const steps = await result.steps
    const isCut = failure === null && steps.at(-1)?.finishReason === 'tool-calls'
    return {
      text: await result.text,
      steps: steps.length,
      failure: isCut ? `stopped after ${MAX_STEPS} steps` : failure,
    }
  } catch (thrown) {
    return { text: '', steps: 0, failure: failure ?? oneLine(thrown) }
  }
}

function oneLine(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return (message.split('\n')[0] ?? '').slice(0, 300)
}
