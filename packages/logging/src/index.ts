export type {
  ArtifactInput,
  ArtifactRef,
  ArtifactStore,
  ErrorInfo,
  ErrorLogEntry,
  EventRecorder,
  Outcome,
  RunEvent,
  RunEventDraft,
  RunEventType,
  ToolCallDraft,
  ToolCallRecord,
  ToolCallStatus,
  ToolLogger,
} from '@kgent/contracts'
export { KgentError, RUN_EVENT_TYPES } from '@kgent/contracts'
export { type ArtifactStoreOptions, createArtifactStore } from './artifact-store.ts'
export { MAX_LINE_BYTES } from './bound-line.ts'
export type { LogOpening } from './chained-lines.ts'
export { createEventRecorder, type EventRecorderOptions, type FileEventRecorder } from './event-recorder.ts'
export type { FileTail, TornTail } from './file-tail.ts'
export { findInterrupted, type InterruptedCall } from './find-interrupted.ts'
export { type JsonLinesFile, type JsonLinesOptions, openJsonLines } from './json-lines.ts'
export type { UnpairedCalls } from './pair-calls.ts'
export { type BadLine, type ReadLogOptions, readEvents, readRecords } from './read-log.ts'
export { createRedactor, type RedactionOptions, type Redactor } from './redactor.ts'
export { type ReportData, renderReport } from './render-report.ts'
export {
  createRunLog,
  LOG_FILES,
  type LogFileName,
  type LogHeads,
  type RunLog,
  type RunLogOpening,
  type RunLogOptions,
} from './run-log.ts'
export { scanForSecrets } from './scan-for-secrets.ts'
export { createToolLogger, type FileToolLogger, type ToolLoggerOptions } from './tool-logger.ts'
export type { FileVerification, ProblemKind, VerificationProblem } from './verify-chain.ts'
export { type RunVerification, type VerifyRunOptions, verifyRun } from './verify-run.ts'
export { type ReportOptions, reportData, writeReport } from './write-report.ts'
