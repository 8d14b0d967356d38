import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CallContext,
  errorInfo,
  fail,
  type PermissionGate,
  type RunContext,
  type ToolLimits,
} from '@kgent/contracts'
import { createArtifactStore, type RunLog } from '@kgent/logging'
import { createSandbox } from '@kgent/sandbox'
import { type AnyToolDefinition, createToolset, type Toolset } from '@kgent/tools-core'
import { CallFiles } from './call-files.ts'
import type { CallEnvelope } from './order.ts'

/** A folder that this worker's tools may see beside the run's own. */
export interface WorkerMount {
  name: string
  dir: string
  /** Default `ro`. */
  mode?: 'ro' | 'rw'
}

/** What all runs of one worker share. */
export interface WorkerParts {
  runsDir: string
  mounts: readonly WorkerMount[]
  tools: readonly AnyToolDefinition[]
  gate: PermissionGate
  log: RunLog
  limits: ToolLimits
  lagMs: number
}

/** A call that is being run here. */
export interface RunningCall {
  envelope: CallEnvelope
  attempt: number
}

/** One run as a worker sees it: its folder on the shared storage, with this worker's tools and policy. */
export interface WorkerRun {
  files: CallFiles
  toolset: Toolset
  /** By call id. */
  running: Map<string, RunningCall>
  close(): void
}

/** Whether the shared storage holds a run of that id. */
export function runExists(runsDir: string, runId: string): boolean {
  return existsSync(join(runsDir, runId, 'archive', 'calls'))
}

/** Opens a run that its sender has made. The record of the run stays the sender's: what is done here is in this worker's log. */
export function openWorkerRun(parts: WorkerParts, runId: string): WorkerRun {
  const dir = join(parts.runsDir, runId)
  const sandbox = createSandbox({ mounts: runMounts(dir, parts.mounts) })
  const running: WorkerRun['running'] = new Map()
  const context: RunContext = {
    runId,
    actor: null,
    sandbox,
    artifacts: createArtifactStore({ dir: join(dir, 'archive', 'artifacts'), mountName: 'artifacts' }),
    skills: {
      list: async () => ({ skills: [], problems: [], budget: NO_BUDGET }),
      load: async () =>
        fail('skill_not_found', 'A worker has no skills: they belong to the agent’s process.'),
      unload: () => false,
    },
    memory: {
      recallMemory: async () => Promise.reject(NO_MEMORY),
      writeMemory: async () => ({ status: 'blocked', id: null, error: NO_MEMORY }),
    },
    logger: parts.log.logger,
    events: parts.log.events,
    // A person who was asked at the sender has answered for this call; a worker has nobody else to ask.
    approver: async ({ toolCallId }) => ({
      approved: running.get(toolCallId ?? '')?.envelope.approved === true,
      by: 'sender',
    }),
    limits: parts.limits,
  }
  const tools = parts.tools.map((tool) => asCalled(tool, running))
  return {
    files: new CallFiles(parts.runsDir, runId, parts.lagMs),
    toolset: createToolset(tools, { context, policy: parts.gate }),
    running,
    close: () => sandbox.close(),
  }
}

const NO_BUDGET = { maxLoaded: 0, maxBytes: 0, loaded: 0, bytes: 0 }
const NO_MEMORY = errorInfo(
  'memory_disabled',
  'A worker has no memory: that belongs to the agent’s process. Do not serve the memory tools.',
)

function runMounts(dir: string, others: readonly WorkerMount[]) {
  return [
    { name: 'workspace', dir: join(dir, 'workspace'), mode: 'rw' as const, hardLinks: 'refuse' as const },
    {
      name: 'deliverables',
      dir: join(dir, 'deliverables'),
      mode: 'rw' as const,
      hardLinks: 'refuse' as const,
    },
    { name: 'artifacts', dir: join(dir, 'archive', 'artifacts'), mode: 'ro' as const },
    ...others.map((mount) => ({ ...mount, mode: mount.mode ?? ('ro' as const) })),
  ]
}

/** A tool whose handler sees the call as its sender made it. To the worker's own record, the framework's id is the call id. */
function asCalled(tool: AnyToolDefinition, running: WorkerRun['running']): AnyToolDefinition {
  return {
    ...tool,
    handler(input: unknown, context: CallContext) {
      const call = running.get(context.toolCallId ?? '')
      if (!call) return tool.handler(input, context)
      const { callId, toolCallId } = call.envelope
      return tool.handler(input, { ...context, callId, toolCallId, attempt: call.attempt })
    },
  }
}
