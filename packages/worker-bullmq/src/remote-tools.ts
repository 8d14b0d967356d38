import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CallContext, EffectivePermissionPolicy, PermissionGate, RunContext } from '@kgent/contracts'
import { type AnyToolDefinition, type BoundTool, createToolset, type Toolset } from '@kgent/tools-core'
import { AnswerDesk } from './answer-desk.ts'
import { CallFiles } from './call-files.ts'
import { type CarriedInput, carryInput } from './carried-input.ts'
import { answersChannel, DEFAULT_PREFIX } from './channels.ts'
import { type Connection, redisOptions } from './connection.ts'
import type { Place } from './order.ts'
import { OrderBook } from './order-book.ts'
import { placeCall, type SenderServices } from './place-call.ts'
import { Turns } from './turns.ts'

export interface RemoteToolsOptions {
  connection: Connection
  /** The tools, as workers serve them. Here their handlers are never run. */
  tools: readonly AnyToolDefinition[]
  /** The run that the calls belong to: they are decided and recorded there like local ones. */
  context: RunContext
  policy: EffectivePermissionPolicy | PermissionGate
  /** The folder of runs, on storage that senders and workers share. */
  runsDir: string
  /** First part of every key in Redis. Default `kgent`. */
  prefix?: string
  /** Calls that may wait in one queue; beyond it a call is answered with `busy`. Default 1,000. */
  maxWaiting?: number
  /** How often answers are looked for, besides events. Default 500 ms. */
  pollMs?: number
  /** Whether to listen to events as well. Default true; without them every answer is found by polling. */
  events?: boolean
  /** Largest input. Default 16 MiB. It never goes through Redis. */
  maxInputBytes?: number
  /** How late this machine may see files that others have written. Default 1,000 ms. */
  storageLagMs?: number
  /** Told of each call where and when it was run. */
  onPlace?: (callId: string, place: Place) => void
}

const MAX_INPUT_BYTES = 16 * 1024 * 1024

/**
 * Tools that run on workers, bound to a run like any other: every adapter works with them, and every call is checked,
 * decided, bounded and recorded here as if it ran here. `close` before the run is closed.
 *
 * **Throws:** `KgentError`: `config_invalid`, `definition_invalid`, `duplicate_tool`.
 */
export function remoteTools(options: RemoteToolsOptions): Toolset {
  const { context, policy, prefix = DEFAULT_PREFIX } = options
  const redis = redisOptions(options.connection)
  const sender = `${context.runId}.${randomBytes(4).toString('hex')}`.slice(-128)
  const files = new CallFiles(resolve(options.runsDir), context.runId, options.storageLagMs ?? 1_000)
  const unfinished = new Set<Promise<unknown>>()
  const services: SenderServices = {
    sender,
    binding: { context, gate: typeof policy === 'function' ? policy : policy.check },
    files,
    book: new OrderBook({ redis, prefix, maxWaiting: options.maxWaiting ?? 1_000 }),
    desk: new AnswerDesk({
      redis,
      channelOf: (queue) => answersChannel(prefix, queue, sender),
      pollMs: options.pollMs ?? 500,
      events: options.events ?? true,
    }),
    turns: new Turns(),
    maxInputBytes: options.maxInputBytes ?? MAX_INPUT_BYTES,
    onPlace(call, place) {
      recordPlace(call, place)
      options.onPlace?.(call.callId, place)
    },
    afterwards(work) {
      const kept = work.catch(() => {}).finally(() => unfinished.delete(kept))
      unfinished.add(kept)
    },
  }
  const toolset = createToolset(
    options.tools.map((tool) => remoteTool(services, tool)),
    { context, policy },
  )
  const tools = toolset.tools.map((bound, index) => withOwnSchema(bound, options.tools[index]))
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return {
    tools,
    tool: (name) => byName.get(name),
    call: toolset.call,
    async close() {
      await toolset.close()
      while (unfinished.size > 0) await Promise.all(unfinished)
      services.desk.close()
      services.book.close()
      // What is left belongs to calls whose workers were lost; a late one finds nowhere to put its answer.
      await rm(files.dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).catch(() => {})
    },
  }
}

function remoteTool(services: SenderServices, tool: AnyToolDefinition): AnyToolDefinition {
  const { permissions } = tool
  return {
    ...tool,
    inputSchema: carryInput(tool.inputSchema),
    permissions:
      typeof permissions === 'function'
        ? (input: CarriedInput, context) => permissions(input.parsed, context)
        : permissions,
    handler: (input: CarriedInput, context: CallContext) => placeCall(services, tool, { input, context }),
  }
}

function withOwnSchema(bound: BoundTool, tool: AnyToolDefinition | undefined): BoundTool {
  return Object.freeze({ ...bound, inputSchema: tool?.inputSchema ?? bound.inputSchema })
}

/** The one thing that the record of a remote call has more than that of a local one. */
function recordPlace(call: CallContext, place: Place): void {
  call.events.record({
    type: 'tool.call.progress',
    callId: call.callId,
    data: { tool: call.tool, message: `Ran on ${place.worker}`, ...place },
  })
}
