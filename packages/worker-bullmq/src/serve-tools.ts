import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import {
  BASE_PERMISSIONS,
  type EffectivePermissionPolicy,
  KgentError,
  type PermissionGate,
} from '@kgent/contracts'
import { createRunLog } from '@kgent/logging'
import type { AnyToolDefinition } from '@kgent/tools-core'
import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { answersChannel, DEFAULT_PREFIX, stopsChannel, workersKey } from './channels.ts'
import { bullOptions, type Connection, redisOptions } from './connection.ts'
import { isPlainId } from './order.ts'
import { queueOfPermission } from './queue-of.ts'
import { type JobEnd, type JobServices, runJob } from './run-job.ts'
import { RunShelf } from './run-shelf.ts'
import { StopWatch } from './stop-watch.ts'
import type { WorkerMount, WorkerParts } from './worker-run.ts'

export interface ServeToolsOptions {
  connection: Connection
  /** The tools that this worker can run. Those of skills and memory belong to the agent's process. */
  tools: readonly AnyToolDefinition[]
  /** This worker's own policy. It decides on every job again, whatever the sender has decided. */
  policy: EffectivePermissionPolicy | PermissionGate
  /** The folder of runs, on storage that senders and workers share. */
  runsDir: string
  /** Queues to take jobs from. Default: those of the permissions that the policy grants. */
  queues?: readonly string[]
  /** Further folders of this machine that its tools may see, by the names that agents use. */
  mounts?: readonly WorkerMount[]
  /** Name in logs and records. Default: host name, process id and a random part. */
  worker?: string
  /** Folder of this worker's own log. Default: `<runsDir>/.workers/<worker>`. */
  logDir?: string
  /** Calls at a time, per queue. Default 4. */
  concurrency?: number
  /** First part of every key in Redis. Default `kgent`. */
  prefix?: string
  /** How long a worker may be silent before its calls count as lost. Default 10,000 ms. */
  lockMs?: number
  /** Longest time of one call. Default 60,000 ms; a sender's deadline may be earlier. */
  callTimeoutMs?: number
  /** Results larger than this are not handed back but kept as artifacts. Default 10 MiB. */
  maxAnswerBytes?: number
  /** How late this machine may see files that others have written. Default 1,000 ms. */
  storageLagMs?: number
  /** Exact values that must never appear in this worker's log. */
  secrets?: readonly string[]
}

/** What a worker says of itself. */
export interface WorkerHealth {
  worker: string
  queues: string[]
  state: 'serving' | 'reconnecting' | 'draining' | 'closed'
  running: number
  /** Jobs since the start, by how they ended. */
  ended: Record<JobEnd['end'] | 'failed', number>
}

/** A worker that serves tools. */
export interface ToolServer {
  readonly worker: string
  readonly queues: readonly string[]
  /** Host path of this worker's log. */
  readonly logDir: string
  health(): WorkerHealth
  /** Takes no more jobs, ends those that run (after `drainMs`, default 30,000, it waits no longer) and closes the log. */
  close(options?: { drainMs?: number }): Promise<void>
}

const MAX_ANSWER_BYTES = 10 * 1024 * 1024
/** More often than this a job is not handed out again; that a write is run once does not depend on it. */
const MAX_STALLS = 5

/**
 * Serves tools to senders: takes the jobs of its queues, checks each against what the sender wrote down, decides on it
 * with its own policy and runs it on the one path of every call.
 *
 * Resolves when the worker takes jobs. **Throws:** `KgentError` (`config_invalid`, `definition_invalid`,
 * `duplicate_tool`, `run_unusable`).
 */
export async function serveTools(options: ServeToolsOptions): Promise<ToolServer> {
  const worker = options.worker ?? `${plainHost()}-${process.pid}-${randomBytes(3).toString('hex')}`
  if (!isPlainId(worker)) throw new KgentError('config_invalid', 'The name of a worker must be a plain name.')
  const { prefix = DEFAULT_PREFIX, lockMs = 10_000 } = options
  const redis = redisOptions(options.connection)
  const queues = [...new Set(options.queues ?? queuesGranted(options))]
  if (queues.length === 0)
    throw new KgentError('config_invalid', 'The policy grants nothing, so this worker has no queue to serve.')
  const runsDir = resolve(options.runsDir)
  const logDir = resolve(options.logDir ?? join(runsDir, '.workers', worker))
  const parts = partsOf(options, { runsDir, logDir, worker })
  const shelf = new RunShelf(parts)
  const ended: WorkerHealth['ended'] = { answered: 0, refused: 0, known: 0, late: 0, failed: 0 }
  let running = 0
  let state: WorkerHealth['state'] = 'serving'
  const talk = new Redis(redis)
  talk.on('error', () => {})
  const stops = new StopWatch({ redis, channels: queues.map((queue) => stopsChannel(prefix, queue)) })
  const services: JobServices = {
    parts,
    worker,
    run: (runId) => shelf.take(runId),
    nudge({ queue, sender }, callId, about) {
      talk.publish(answersChannel(prefix, queue, sender), `${about} ${callId}`).catch(() => {})
    },
    watch: (run, callId) => stops.watch(run.files, callId),
  }
  const workers = queues.map((queue) => {
    const bull = new Worker(
      queue,
      async ({ id, name, data }) => {
        running += 1
        try {
          const end = await runJob(services, { id: id ?? '', name, data, queue })
          ended[end.end] += 1
          return end
        } catch (thrown) {
          ended.failed += 1
          // What is thrown can name files of this machine: the log has it, Redis does not.
          parts.log.logger.recordError(crashOf(String(id), thrown))
          throw new Error(`The worker ${worker} could not end the job.`)
        } finally {
          running -= 1
        }
      },
      {
        connection: bullOptions(redis),
        prefix,
        name: worker,
        concurrency: options.concurrency ?? 4,
        lockDuration: lockMs,
        stalledInterval: Math.max(250, lockMs / 2),
        maxStalledCount: MAX_STALLS,
        removeOnComplete: { age: 300, count: 1_000 },
        removeOnFail: { age: 3_600, count: 1_000 },
      },
    )
    bull.on('error', () => {})
    return bull
  })
  await Promise.all([...workers.map((bull) => bull.waitUntilReady()), stops.ready()])
  const health = (): WorkerHealth => ({
    worker,
    queues,
    state: state === 'serving' && talk.status !== 'ready' ? 'reconnecting' : state,
    running,
    ended: { ...ended },
  })
  const sayState = () => {
    const text = JSON.stringify({ at: Date.now(), state: health().state, running, ended })
    for (const queue of queues) talk.hset(workersKey(prefix, queue), worker, text).catch(() => {})
  }
  sayState()
  const beat = setInterval(sayState, Math.min(lockMs / 2, 5_000))
  let closing: Promise<void> | undefined
  const close = async (drainMs: number) => {
    state = 'draining'
    sayState()
    await endWorkers(workers, drainMs)
    clearInterval(beat)
    const gone = queues.map((queue) => talk.hdel(workersKey(prefix, queue), worker).catch(() => {}))
    if (talk.status === 'ready') await Promise.all(gone)
    talk.disconnect()
    stops.close()
    shelf.close()
    await parts.log.close()
    state = 'closed'
  }
  return {
    worker,
    queues,
    logDir,
    health,
    close({ drainMs = 30_000 } = {}) {
      closing ??= close(drainMs)
      return closing
    },
  }
}

function partsOf(
  options: ServeToolsOptions,
  { runsDir, logDir, worker }: { runsDir: string; logDir: string; worker: string },
): WorkerParts {
  const log = createRunLog({ dir: logDir, runId: worker, redact: { secrets: [...(options.secrets ?? [])] } })
  return {
    runsDir,
    mounts: options.mounts ?? [],
    tools: options.tools,
    gate: typeof options.policy === 'function' ? options.policy : options.policy.check,
    log,
    limits: {
      maxInlineBytes: options.maxAnswerBytes ?? MAX_ANSWER_BYTES,
      callTimeoutMs: options.callTimeoutMs ?? 60_000,
    },
    lagMs: options.storageLagMs ?? 1_000,
  }
}

/** A policy says of each base permission whether it is granted anywhere; a custom one is asked about for its tools. */
function queuesGranted({ policy, tools }: ServeToolsOptions): string[] {
  const gate = typeof policy === 'function' ? policy : policy.check
  const asked = (permission: string, tool: string) => {
    try {
      return gate({ permission, tool }).decision !== 'deny'
    } catch {
      return false
    }
  }
  const base = BASE_PERMISSIONS.filter((permission) =>
    typeof policy === 'function' ? tools.some(({ name }) => asked(permission, name)) : policy[permission],
  )
  const named = tools.flatMap(({ name, permissions }) =>
    typeof permissions === 'function' ? [] : permissions.filter((permission) => asked(permission, name)),
  )
  return [...new Set([...base, ...named].map(queueOfPermission))]
}

async function endWorkers(workers: readonly Worker[], drainMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<'over'>((done) => {
    timer = setTimeout(() => done('over'), drainMs)
  })
  const ended = Promise.allSettled(workers.map((bull) => bull.close()))
  const first = await Promise.race([ended, patience])
  clearTimeout(timer)
  if (first === 'over')
    await Promise.race([Promise.allSettled(workers.map((bull) => bull.close(true))), soon()])
}

function soon(): Promise<void> {
  return new Promise((done) => setTimeout(done, 1_000).unref())
}

function crashOf(callId: string, thrown: unknown) {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  return {
    callId: callId.slice(0, 128),
    tool: null,
    code: 'internal' as const,
    message: 'A job could not be ended.',
    thrown: text.slice(0, 4_000),
  }
}

function plainHost(): string {
  return (
    hostname()
      .replace(/[^A-Za-z0-9._-]/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 60) || 'worker'
  )
}
