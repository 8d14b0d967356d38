import { randomUUID } from 'node:crypto'
import type { ToolProgress, Toolset } from '@kgent/tools-core'
import { type GenerateMiddleware, type GenerateMiddlewareDef, generateMiddleware } from 'genkit'
import { answerUnknown } from './answer-unknown.ts'
import { progressPart } from './tool-progress.ts'

/** As many as Genkit allows turns by default. */
const MAX_UNKNOWN_IN_A_ROW = 5

/**
 * For the `use` of `generate` and `generateStream`, beside `genkitTools`: brings the tools the call's id, the caller's
 * abort signal and a way for progress, which Genkit keeps to itself; and answers and records calls to unknown
 * tools, which would otherwise end the run. Decides and runs nothing.
 */
export function genkitCalls(run: Pick<Toolset, 'tools' | 'call'>): ReturnType<GenerateMiddleware> {
  // Genkit finds middleware by name, and the first of one name wins.
  const define = generateMiddleware({ name: `kgent-calls-${randomUUID()}` }, () => hooksFor(run))
  return define()
}

/** One set of hooks for each `generate`. */
function hooksFor(run: Pick<Toolset, 'tools' | 'call'>): GenerateMiddlewareDef {
  const names = new Set<string>(run.tools.map(({ name }) => name))
  let outer: Parameters<NonNullable<GenerateMiddlewareDef['generate']>>[1] = {}
  let isManual = false
  const inTurn = inOrder()
  return {
    generate(envelope, context, next) {
      outer = context
      isManual = envelope.request.returnToolRequests === true
      return next(envelope, context)
    },
    async model(request, context, next) {
      let asked = request
      for (let count = 0; ; count += 1) {
        const response = await next(asked, context)
        if (isManual || count === MAX_UNKNOWN_IN_A_ROW) return response
        const answered = await answerUnknown(run, asked, response)
        if (!answered) return response
        asked = { ...asked, messages: [...asked.messages, ...answered] }
      }
    },
    tool(request, context, next) {
      const { name, ref } = request.toolRequest
      if (!names.has(name)) return next(request, context)
      const onChunk = (progress: ToolProgress) => {
        const content = [progressPart(progress, { tool: name, toolCallId: ref })]
        outer.onChunk?.({ role: 'tool', content })
      }
      const call = { ...context, toolCallId: ref, onChunk }
      return inTurn(next(request, outer.abortSignal ? { ...call, abortSignal: outer.abortSignal } : call))
    },
  }
}

/**
 * Gives results back in the order of their calls, which all run at once. Genkit takes them as they come, and a model that
 * gives calls no id would read them as the results of other calls.
 */
function inOrder(): <T>(work: Promise<T>) => Promise<T> {
  let earlier: Promise<unknown> = Promise.resolve()
  return (work) => {
    const before = earlier
    const ended = Promise.allSettled([before, work])
    // Genkit notes a result a few steps later.
    earlier = ended.then(() => new Promise((resolve) => setImmediate(resolve)))
    return before.then(() => work)
  }
}
