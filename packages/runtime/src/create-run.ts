import type {
  Actor,
  Approver,
  EffectivePermissionPolicy,
  MemoryClient,
  Permission,
  PermissionRule,
  RunContext,
  RunEvent,
  ToolLogger,
  ToolResult,
} from '@kgent/contracts'
import type { AnyToolDefinition, BoundTool, CallOptions } from '@kgent/tools-core'
import { createToolset } from '@kgent/tools-core'
import { assembleRun } from './assemble-run.ts'
import { closeRun, type RunSummary } from './close-run.ts'
import type { KgentConfig } from './config-schema.ts'
import type { HostMount } from './mounts.ts'

/** What only the host program may say: the config of a user cannot. */
export interface HostPolicy {
  /** Permissions that nothing can enable. */
  deny?: Permission[]
  rules?: PermissionRule[]
  /** Destructive permissions that this program takes responsibility for. Default: none. */
  allowDestructive?: ('filesystemDelete' | 'shell')[]
}

/** What only the host program can give to the log. */
export interface LogOptions {
  /** Makes the chains of the log ones that nobody without the key can write anew. `verifyRun` needs it too. */
  hmacKey?: string | Uint8Array
  /** Puts something round the logger, e.g. `createOtelToolLogger` of `@kgent/logging/otel`. */
  wrap?: (logger: ToolLogger) => ToolLogger
}

export interface CreateRunOptions {
  /** Folder that holds one folder a run. It is created. */
  runsDir: string
  /** Default: time and a random part. The id of an existing run continues it. */
  runId?: string
  config?: KgentConfig
  configFile?: string
  mounts?: HostMount[]
  /** Folders of skills, before those of the config. */
  skillDirs?: string[]
  /** The external memory, for recall and for write mode `external`. */
  memory?: MemoryClient
  approver?: Approver
  /** Tools of the host's own, beside the built-in ones. */
  tools?: AnyToolDefinition[]
  actor?: Actor
  host?: HostPolicy
  /** Exact values that must never appear in a log. */
  secrets?: string[]
  log?: LogOptions
  /** Called for every event, from `run.start` on. */
  onEvent?: (event: RunEvent) => void
}

/** One run: a folder, a policy, a sandbox, a record, and the tools bound to them. */
export interface Run {
  readonly id: string
  /** Host path of the run's folder: for people, not for agents. */
  readonly dir: string
  readonly tools: readonly BoundTool[]
  readonly policy: EffectivePermissionPolicy
  readonly context: RunContext
  /** Remarks of the start that do not stop it: policy warnings, unusable skills, a torn log line. */
  readonly warnings: readonly string[]
  tool(name: string): BoundTool | undefined
  /** Calls any tool by name. Never rejects. */
  call(name: string, rawInput: unknown, options?: CallOptions): Promise<ToolResult>
  /** Ends what is running, writes the manifest and says how the run went. Closing twice gives the same answer. */
  close(options?: { status?: 'completed' | 'failed' | 'interrupted' }): Promise<RunSummary>
}

/**
 * Assembles a run from a config.
 *
 * **Throws:** `KgentError` with one clear message: `config_invalid`, `rule_invalid`, `run_unusable`, `duplicate_tool`,
 * `definition_invalid`. Nothing is left open then.
 */
export async function createRun(options: CreateRunOptions): Promise<Run> {
  const parts = await assembleRun(options)
  const toolset = createToolset(parts.definitions, { context: parts.context, policy: parts.policy })
  let closing: Promise<RunSummary> | undefined
  return {
    id: parts.folder.id,
    dir: parts.folder.dir,
    tools: toolset.tools,
    policy: parts.policy,
    context: parts.context,
    warnings: parts.warnings,
    tool: (name) => toolset.tool(name),
    call: (name, rawInput, callOptions) => toolset.call(name, rawInput, callOptions),
    close(closeOptions = {}) {
      closing ??= toolset.close().then(() => closeRun(parts, closeOptions.status ?? 'completed'))
      return closing
    },
  }
}
