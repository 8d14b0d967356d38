export type {
  AccessCheck,
  EditedFile,
  ErrorInfo,
  FileList,
  FileWindow,
  GrepMatch,
  GrepOptions,
  GrepResult,
  ListEntry,
  ListOptions,
  Outcome,
  ReadOptions,
  ResolvedPath,
  Sandbox,
  SandboxMountInfo,
  SkipCounts,
  TextEdit,
  WriteOptions,
  WrittenFile,
} from '@kgent/contracts'
export { KgentError } from '@kgent/contracts'
export { createSandbox, type SandboxOptions } from './create-sandbox.ts'
export { DEFAULT_SANDBOX_LIMITS, type SandboxLimits } from './limits.ts'
export type { SandboxMount } from './mount-table.ts'
export { resolveSandboxPath } from './resolve-sandbox-path.ts'
