import type { LanguageModel } from 'ai'
import { type DoneCall, doneCalls, type PromptMessage } from './conversation.ts'
import { nextDigestStep } from './digest/next-digest-step.ts'
import { nextStep, type Step } from './next-step.ts'

/** The provider interface of the AI SDK that this model speaks. */
export type ScriptedModel = Extract<LanguageModel, { specificationVersion: 'v3' }>

type Generated = Awaited<ReturnType<ScriptedModel['doGenerate']>>
type Streamed = Awaited<ReturnType<ScriptedModel['doStream']>>
type Answer = Pick<Generated, 'content' | 'finishReason' | 'usage'>
type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never

/** The jobs that the planner knows: findings in code and logs, or a digest of data files. */
export const JOBS = ['findings', 'digest'] as const
export type Job = (typeof JOBS)[number]

const PLANNERS: Record<Job, (calls: readonly DoneCall[]) => Step> = {
  findings: nextStep,
  digest: nextDigestStep,
}

const NO_USAGE: Generated['usage'] = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

/**
 * A model without a network: it plans by rules, from the tool results in the prompt, and speaks the same interface as any
 * other. Everything around it (tools, policy, sandbox, log, memory gate) is real.
 */
export function scriptedModel(job: Job = 'findings'): ScriptedModel {
  return {
    specificationVersion: 'v3',
    provider: 'kgent',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async ({ prompt }) => ({ ...answerTo(job, prompt), warnings: [] }),
    doStream: async ({ prompt }) => ({ stream: streamOf(answerTo(job, prompt)) }),
  }
}

function answerTo(job: Job, prompt: readonly PromptMessage[]): Answer {
  const calls = doneCalls(prompt)
  const step = PLANNERS[job](calls)
  const reason = step.calls.length > 0 ? 'tool-calls' : 'stop'
  return {
    content: contentOf(step, calls.length),
    finishReason: { unified: reason, raw: reason },
    usage: NO_USAGE,
  }
}

function contentOf({ say, calls }: Step, before: number): Generated['content'] {
  return [
    { type: 'text', text: say },
    ...calls.map(({ tool, input }, index) => ({
      type: 'tool-call' as const,
      toolCallId: `call-${before + index + 1}`,
      toolName: tool,
      input: JSON.stringify(input),
    })),
  ]
}

function streamOf({ content, finishReason, usage }: Answer): ReadableStream<StreamPart> {
  const parts = content.flatMap((part, index): StreamPart[] => {
    if (part.type === 'tool-call') return [part]
    if (part.type !== 'text') return []
    const id = String(index)
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: part.text },
      { type: 'text-end', id },
    ]
  })
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] })
      for (const part of parts) controller.enqueue(part)
      controller.enqueue({ type: 'finish', finishReason, usage })
      controller.close()
    },
  })
}
