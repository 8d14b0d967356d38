import { type ErrorInfo, errorInfo, type ToolResult } from '@kgent/contracts'
import { failedResult } from '@kgent/tools-core'
import { MAX_ATTEMPTS } from './call-files.ts'
import { checkOrder, refusal } from './check-order.ts'
import type { CallAnswer, CallEnvelope, Place } from './order.ts'
import { isCallId, readOrder } from './order.ts'
import { type RefusedJob, recordRefusal } from './record-refusal.ts'
import { runExists, type WorkerParts, type WorkerRun } from './worker-run.ts'

/** A job as the engine hands it over. */
export interface Job {
  id: string
  name: string
  data: unknown
  queue: string
}

/** What a worker lends to each job. */
export interface JobServices {
  parts: WorkerParts
  worker: string
  run(runId: string): WorkerRun
  /** Tells a sender that there is something to read. */
  nudge(order: { queue: string; sender: string }, callId: string, about: 'answer' | 'progress'): void
  /** A signal that is aborted when the sender has ended the call. */
  watch(run: WorkerRun, callId: string): { signal: AbortSignal; end(): void }
}

/** What stays in Redis of a job that has ended. */
export interface JobEnd {
  worker: string
  attempt: number
  end: 'answered' | 'refused' | 'known' | 'late'
}

/**
 * The way of a job through a worker: is it the call that its sender wrote down → take the attempt → run it on the one path
 * of every call, with this worker's policy → make the answer the verdict, unless there is one already.
 */
export async function runJob(services: JobServices, job: Job): Promise<JobEnd> {
  const { parts, worker } = services
  const end = (kind: JobEnd['end'], attempt: number): JobEnd => ({ worker, attempt, end: kind })
  const order = readOrder(job.data)
  if (!order || !isCallId(job.id) || job.name !== order.tool) {
    await refuse(services, job, { error: refusal('worker.malformed', 'it is not the order of a call') })
    return end('refused', 0)
  }
  const run = runExists(parts.runsDir, order.runId) ? services.run(order.runId) : null
  const envelope = (await run?.files.envelope(job.id)) ?? null
  if (!run || !envelope) {
    await refuse(services, job, { error: refusal('worker.forged', 'no sender has written down such a call') })
    return end('refused', 0)
  }
  const error = checkOrder(order, { envelope, callId: job.id, queue: job.queue })
  if (error) {
    await refuse(services, job, { error, run, envelope })
    return end('refused', 0)
  }
  return takeAndRun(services, { job, run, envelope })
}

interface Found {
  job: Job
  run: WorkerRun
  envelope: CallEnvelope
}

async function takeAndRun(services: JobServices, found: Found): Promise<JobEnd> {
  const { run, envelope } = found
  const { worker } = services
  const attempts = mayRunAgain(services, envelope.tool) ? MAX_ATTEMPTS : 1
  const attempt = await run.files.claim(envelope.callId, attempts)
  // The sender ends a call by a verdict and then looks for claims; here it is the other way round, so one of the two sees the
  // other. A job that comes again finds the verdict of the first as well.
  const known = await run.files.answer(envelope.callId)
  if (known) {
    services.nudge({ queue: found.job.queue, sender: envelope.sender }, envelope.callId, 'answer')
    return { worker, attempt: known.place?.attempt ?? 0, end: 'known' }
  }
  const place: Place = {
    worker,
    queue: found.job.queue,
    queueMs: Math.max(0, Date.now() - envelope.submittedAt),
    attempt: attempt ?? attempts,
  }
  const ran = attempt === null ? null : await runCall(services, found, attempt)
  const result = ran?.result ?? failedResult(interrupted())
  const isVerdict = await run.files.seal({
    v: 1,
    callId: envelope.callId,
    place,
    result,
    hasProgress: ran?.hasProgress ?? false,
  })
  if (!isVerdict) recordLate(services, found, place.attempt)
  services.nudge({ queue: found.job.queue, sender: envelope.sender }, envelope.callId, 'answer')
  return { worker, attempt: place.attempt, end: isVerdict ? 'answered' : 'late' }
}

/** Only this worker's own definition says whether a tool may be run again; a job cannot. */
function mayRunAgain({ parts }: JobServices, tool: string): boolean {
  const { readOnly, idempotent } = parts.tools.find(({ name }) => name === tool)?.annotations ?? {}
  return readOnly === true || idempotent === true
}

function interrupted(): ErrorInfo {
  return errorInfo(
    'interrupted',
    'The worker that ran the call was lost. Whether it took effect is unknown, and it was not run again.',
    { hint: 'Check before you repeat it.' },
  )
}

async function runCall(services: JobServices, found: Found, attempt: number) {
  const { run, envelope, job } = found
  const { callId } = envelope
  const watched = services.watch(run, callId)
  let progress: Promise<void> | null = null
  run.running.set(callId, { envelope, attempt })
  try {
    const result = await endedBefore(envelope.deadline, watched.signal, (signal) =>
      run.toolset.call(envelope.tool, envelope.input, {
        toolCallId: callId,
        signal,
        onProgress(said) {
          progress = (progress ?? Promise.resolve())
            .then(() => run.files.addProgress(callId, JSON.stringify(said)))
            .then(
              () => services.nudge({ queue: job.queue, sender: envelope.sender }, callId, 'progress'),
              () => {},
            )
        },
      }),
    )
    await progress
    return { result: withWorker(result, services.worker), hasProgress: progress !== null }
  } finally {
    run.running.delete(callId)
    watched.end()
  }
}

async function endedBefore(
  deadline: number,
  stop: AbortSignal,
  call: (signal: AbortSignal) => Promise<ToolResult>,
): Promise<ToolResult> {
  const atDeadline = new AbortController()
  const timer = setTimeout(() => atDeadline.abort(), Math.max(0, deadline - Date.now()))
  const result = await call(AbortSignal.any([stop, atDeadline.signal]))
  clearTimeout(timer)
  if (result.error?.code !== 'aborted' || !atDeadline.signal.aborted) return result
  return failedResult(
    errorInfo(
      'timeout',
      'The call did not end before its deadline. Its effect may still happen: check first.',
    ),
  )
}

/** Who refused or failed: the record of that is in this worker's log. */
function withWorker(result: ToolResult, worker: string): ToolResult {
  if (!result.error) return result
  return { ...result, error: { ...result.error, details: { ...result.error.details, worker } } }
}

async function refuse(
  { parts, nudge, worker }: JobServices,
  job: Job,
  { error, run, envelope }: { error: ErrorInfo; run?: WorkerRun; envelope?: CallEnvelope },
): Promise<void> {
  recordRefusal(parts.log, refusedJob(job), error)
  if (run && envelope) {
    const result = withWorker(failedResult(error), worker)
    const answer: CallAnswer = { v: 1, callId: job.id, place: null, result }
    await run.files.seal(answer)
    nudge({ queue: job.queue, sender: envelope.sender }, job.id, 'answer')
  }
  await Promise.all([parts.log.logger.flush(), parts.log.events.flush()])
}

function refusedJob({ id, name, data }: Job): RefusedJob {
  const order = readOrder(data)
  return {
    callId: String(id),
    runId: order?.runId ?? '',
    tool: order?.tool ?? String(name),
    inputSha256: order?.inputSha256 ?? '',
    attempt: 0,
  }
}

function recordLate({ parts }: JobServices, { envelope }: Found, attempt: number): void {
  parts.log.logger.recordError({
    callId: envelope.callId,
    tool: envelope.tool,
    code: 'interrupted',
    message: `The answer of attempt ${attempt} came after the call had ended, and was refused.`,
  })
}
