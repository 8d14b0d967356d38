export { type ErrorInfo, KgentError, type RunContext, type RunEvent, type ToolResult } from '@kgent/contracts'
export {
  type ReportData,
  type ReportOptions,
  type RunVerification,
  reportData,
  verifyRun,
  writeReport,
} from '@kgent/logging'
export { explain as explainPolicy } from '@kgent/permissions'
export { type BoundTool, defineTool, toModelText } from '@kgent/tools-core'
export { externalMemory } from './assemble-memory.ts'
export type { Refusal, RunSummary } from './close-run.ts'
export { configJsonSchema, type KgentConfig } from './config-schema.ts'
export { type CreateRunOptions, createRun, type HostPolicy, type LogOptions, type Run } from './create-run.ts'
export { loadConfig } from './load-config.ts'
export type { RunManifest, RunStatus } from './manifest.ts'
export type { HostMount } from './mounts.ts'
