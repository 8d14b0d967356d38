import { aiSdkTools, repairToolCall } from '@kgent/adapter-ai-sdk'
import { stepCountIs, streamText, type ToolSet } from 'ai'
import { INSTRUCTIONS } from '../instructions.ts'
import { type AgentLoop, type LoopEnd, MAX_STEPS, oneLine } from './agent-loop.ts'

/** The loop of the AI SDK's `streamText`. */
export const aiSdkLoop: AgentLoop = async (run, options) => {
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
