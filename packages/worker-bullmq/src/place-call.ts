import {
  type CallContext,
  type ErrorInfo,
  errorInfo,
  type ToolProgress,
  type ToolResult,
} from '@kgent/contracts'
import { type AnyToolDefinition, failedResult, failure } from '@kgent/tools-core'
import type { AnswerDesk } from './answer-desk.ts'
import { type CallFiles, sha256 } from './call-files.ts'
import type { CarriedInput } from './carried-input.ts'
import type { CallAnswer, CallEnvelope, CallOrder, Place } from './order.ts'
import type { OrderBook } from './order-book.ts'
import { type SenderDecision, senderDecision } from './sender-decision.ts'
import type { Turns } from './turns.ts'

/** What one sender lends to each of its calls. */
export interface SenderServices {
  sender: string
  binding: Parameters<typeof senderDecision>[2]
  files: CallFiles
  book: OrderBook
  desk: AnswerDesk
  turns: Turns
  maxInputBytes: number
  /** Told where a call was run. */
  onPlace(context: CallContext, place: Place): void
  /** Work that goes on after an answer was given; closing waits for it. */
  afterwards(work: Promise<unknown>): void
}

/** The handler of every remote tool: writes the call down, places it, waits for the one verdict. */
export async function placeCall(
  services: SenderServices,
  tool: AnyToolDefinition,
  { input, context }: { input: CarriedInput; context: CallContext },
): Promise<ToolResult> {
  const decision = await senderDecision(tool, input.parsed, services.binding)
  const text = JSON.stringify(input.given)
  if (Buffer.byteLength(text) > services.maxInputBytes)
    return failure(
      'too_large',
      `The input is larger than the ${services.maxInputBytes} bytes a worker takes.`,
    )
  const keys = tool.annotations?.readOnly === true ? [] : decision.paths
  return services.turns.take(keys, () => sendAndWait(services, { tool, context, decision, text }))
}

interface Prepared {
  tool: AnyToolDefinition
  context: CallContext
  decision: SenderDecision
  text: string
}

async function sendAndWait(services: SenderServices, prepared: Prepared): Promise<ToolResult> {
  const { context, decision } = prepared
  if (context.signal.aborted) return failure('aborted', 'The call was cancelled. Nothing was run.')
  const envelope = envelopeOf(services, prepared)
  const waiting = new WaitForAnswer(services, { envelope, context, queue: decision.queue })
  try {
    return await waiting.result()
  } finally {
    services.afterwards(waiting.clear())
  }
}

function envelopeOf({ sender }: SenderServices, { tool, context, decision, text }: Prepared): CallEnvelope {
  const { callTimeoutMs } = context.limits
  return {
    v: 1,
    runId: context.runId,
    tool: tool.name,
    inputSha256: sha256(text),
    // Earlier than the core's own limit, so that there is time for a verdict that says more than “too late”.
    deadline: Date.now() + callTimeoutMs - Math.min(2_000, Math.ceil(callTimeoutMs / 5)),
    sender,
    callId: context.callId,
    queue: decision.queue,
    toolCallId: context.toolCallId,
    input: text,
    submittedAt: Date.now(),
    decisions: decision.decisions,
    approved: decision.approved,
  }
}

/** After these a worker may be at it yet; the verdict stays where it is, so that a late answer finds it. */
const MAY_STILL_RUN: ReadonlySet<string> = new Set(['interrupted', 'timeout', 'aborted'])

/** One call between its order and its verdict. */
class WaitForAnswer {
  readonly #services: SenderServices
  readonly #envelope: CallEnvelope
  readonly #context: CallContext
  readonly #queue: string
  #progressOffset = 0
  #looking: Promise<void> = Promise.resolve()
  #isPlaced = false
  #mayStillRun = false

  constructor(
    services: SenderServices,
    call: { envelope: CallEnvelope; context: CallContext; queue: string },
  ) {
    this.#services = services
    this.#envelope = call.envelope
    this.#context = call.context
    this.#queue = call.queue
  }

  async result(): Promise<ToolResult> {
    const { desk, files, book } = this.#services
    const { callId, deadline } = this.#envelope
    const verdict = openPromise<ToolResult>()
    desk.listen(this.#queue)
    const stopListening = desk.wait(callId, (about) => this.#look(about, verdict.resolve))
    const giveUp = () => void this.#giveUp(aborted()).then(verdict.resolve, verdict.reject)
    // Half of what the core leaves: a worker that ends a call at its deadline can still say so.
    const grace = Math.min(1_000, Math.ceil(this.#context.limits.callTimeoutMs / 10))
    const timer = setTimeout(
      () => void this.#giveUp(null).then(verdict.resolve, verdict.reject),
      deadline + grace - Date.now(),
    )
    this.#context.signal.addEventListener('abort', giveUp, { once: true })
    try {
      this.#place(files, book).then((refused) => refused && verdict.resolve(refused), verdict.reject)
      return await verdict.promise
    } finally {
      clearTimeout(timer)
      this.#context.signal.removeEventListener('abort', giveUp)
      stopListening()
    }
  }

  /** Writes the call down while Redis says whether there is room, then places it. */
  async #place(files: CallFiles, book: OrderBook): Promise<ToolResult | null> {
    const [isRoom] = await Promise.all([book.admit(this.#queue), files.put(this.#envelope)])
    if (!isRoom) {
      return failure('busy', `Too many calls wait in queue ${this.#queue}; this one was not sent.`, {
        hint: 'Nothing was run. Try again later.',
      })
    }
    await book.place(this.#queue, this.#envelope.callId, this.#order())
    this.#isPlaced = true
    return null
  }

  #order(): CallOrder {
    const { runId, tool, inputSha256, deadline, sender } = this.#envelope
    return { v: 1, runId, tool, inputSha256, deadline, sender }
  }

  #look(about: 'answer' | 'progress' | 'poll', resolve: (result: ToolResult) => void): void {
    this.#looking = this.#looking
      .then(async () => {
        const { files } = this.#services
        const answer =
          about === 'progress'
            ? null
            : await files.answer(this.#envelope.callId, { soon: about === 'answer' })
        if (about === 'progress' || answer?.hasProgress) await this.#tellProgress()
        if (answer) {
          resolve(this.#take(answer))
        } else if (about === 'poll') await this.#askRedis(resolve)
      })
      .catch(() => {
        // The storage or Redis did not answer: the next look may have more luck, and the deadline ends it.
      })
  }

  /** A job that failed without a verdict has lost its workers; one that Redis has lost is placed again, unless it was begun. */
  async #askRedis(resolve: (result: ToolResult) => void): Promise<void> {
    if (!this.#isPlaced) return
    const { book, files } = this.#services
    const state = await book.state(this.#queue, this.#envelope.callId)
    if (state === 'other') return
    const isClaimed = await files.isClaimed(this.#envelope.callId)
    if (state === 'absent' && !isClaimed && Date.now() < this.#envelope.deadline)
      await book.place(this.#queue, this.#envelope.callId, this.#order())
    if (state === 'failed') resolve(await this.#giveUp(lost(isClaimed)))
  }

  #take({ place, result }: CallAnswer): ToolResult {
    if (place) this.#services.onPlace(this.#context, place)
    this.#mayStillRun = MAY_STILL_RUN.has(result.error?.code ?? '')
    return result
  }

  async #tellProgress(): Promise<void> {
    const said = await this.#services.files.progressFrom(this.#envelope.callId, this.#progressOffset)
    this.#progressOffset = said.offset
    for (const line of said.lines) this.#context.progress(JSON.parse(line) as ToolProgress)
  }

  /**
   * Ends the call by a verdict of the sender's own. When a worker was faster, its verdict holds. After the seal nothing
   * begins any more, so without a claim it is certain that nothing was run.
   */
  async #giveUp(error: ErrorInfo | null): Promise<ToolResult> {
    const { files, book } = this.#services
    const { callId } = this.#envelope
    const before = await files.isClaimed(callId)
    const result = failedResult(error ?? (before ? lost(true) : untaken(this.#queue)))
    const isVerdict = await files.seal({ v: 1, callId, place: null, result })
    this.#services.afterwards(withinASecond(book.stop(this.#queue, callId)))
    if (!isVerdict) {
      const answer = await files.answer(callId, { soon: true })
      if (answer) return this.#take(answer)
    }
    const wasBegun = before || (await files.isClaimed(callId))
    this.#mayStillRun = wasBegun
    return wasBegun && !before && !error ? failedResult(lost(true)) : result
  }

  /** The files of a call that a worker may still be running stay until the sender closes. */
  async clear(): Promise<void> {
    await this.#looking
    if (!this.#mayStillRun) await this.#services.files.remove(this.#envelope.callId)
  }
}

function aborted(): ErrorInfo {
  return errorInfo('aborted', 'The call was cancelled.')
}

function untaken(queue: string): ErrorInfo {
  return errorInfo('busy', `No worker took the call from queue ${queue} before its deadline.`, {
    hint: 'Nothing was run. Is a worker serving that queue?',
  })
}

function lost(wasBegun: boolean): ErrorInfo {
  return wasBegun
    ? errorInfo(
        'interrupted',
        'The worker that had begun the call gave no answer. Whether it took effect is unknown.',
        {
          hint: 'Check before you repeat it.',
        },
      )
    : errorInfo('interrupted', 'The call was lost on its way to a worker. Nothing was run.')
}

/** What is said to a Redis that is away is not waited for. */
function withinASecond(work: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise((done) => {
    timer = setTimeout(done, 1_000)
  })
  return Promise.race([work.catch(() => {}), patience]).finally(() => clearTimeout(timer))
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function openPromise<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<T>((onValue, onFault) => {
    resolve = onValue
    reject = onFault
  })
  return { promise, resolve, reject }
}
