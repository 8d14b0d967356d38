import type { MemoryClient } from '@kgent/contracts'
import { type RunLog, scanForSecrets } from '@kgent/logging'
import { createHttpMemoryClient, createMemory } from '@kgent/memory'
import type { KgentConfig } from './config-schema.ts'
import type { CreateRunOptions } from './create-run.ts'
import type { RunFolder } from './run-folder.ts'

const DEFAULT_SCOPES = ['default']

/** The governed memory of a run: write mode, scopes and the external client, from the host or the config. */
export function assembleMemory(parts: {
  options: CreateRunOptions
  config: KgentConfig
  folder: RunFolder
  log: RunLog
}): MemoryClient {
  const { options, config, folder, log } = parts
  const {
    writeMode = 'candidate',
    scopes = DEFAULT_SCOPES,
    maxRecall,
    maxContentBytes,
    timeoutMs,
  } = config.memory ?? {}
  const client = options.memory ?? externalMemory(config)
  return createMemory({
    mode: writeMode,
    scopes,
    candidates: { file: folder.candidates },
    runId: folder.id,
    ...(client && { client }),
    ...(options.actor && { actor: options.actor }),
    ...(timeoutMs && { timeoutMs }),
    limits: { ...(maxRecall && { maxRecall }), ...(maxContentBytes && { maxContentBytes }) },
    scanSecrets: scanForSecrets,
    onDropped: ({ count, scope, reason }) =>
      log.logger.recordError({
        callId: null,
        tool: 'recall_memory',
        code: 'memory_scope',
        message:
          reason === 'foreign'
            ? `The memory service returned ${count} items of another scope than ${scope}; they were dropped.`
            : `The memory service returned ${count} items that cannot be read; they were dropped.`,
      }),
  })
}

/** The external memory that a config names, if it names one; its token is read from the environment. */
export function externalMemory(config: KgentConfig): MemoryClient | undefined {
  const external = config.memory?.external
  if (!external) return undefined
  const token = external.tokenEnv === undefined ? undefined : process.env[external.tokenEnv]
  return createHttpMemoryClient({ baseUrl: external.url, ...(token && { token }) })
}
