export type { ApprovalAnswer, ApprovalRequest, Approver } from './approval.ts'
export type { ArtifactInput, ArtifactRef, ArtifactStore } from './artifact-store.ts'
export { ERROR_CODES, type ErrorCode, type ErrorCodeMeaning } from './error-codes.ts'
export { type ErrorInfo, type ErrorInfoExtras, errorInfo, fail, type Outcome, succeed } from './error-info.ts'
export type { JsonObject, JsonValue } from './json.ts'
export { KgentError } from './kgent-error.ts'
export type {
  MemoryClient,
  MemoryItem,
  MemoryRecallOptions,
  MemoryWriteOptions,
  MemoryWriteResult,
  MemoryWriteStatus,
} from './memory-client.ts'
export {
  BASE_PERMISSIONS,
  type BasePermission,
  type EffectivePermissionPolicy,
  type EffectiveRule,
  type Permission,
  type PermissionDecision,
  type PermissionEffect,
  type PermissionGate,
  type PermissionLayer,
  type PermissionRequest,
  type PermissionResult,
  type PermissionRule,
  type PermissionWish,
  type PolicyWarning,
  type ResolvedPermissionRequest,
} from './permission.ts'
export type { Actor, CallContext, RunContext, ToolLimits, ToolProgress } from './run-context.ts'
export {
  type EventRecorder,
  RUN_EVENT_TYPES,
  type RunEvent,
  type RunEventDraft,
  type RunEventType,
} from './run-event.ts'
export type {
  AccessCheck,
  EditedFile,
  FileList,
  FileWindow,
  GrepMatch,
  GrepOptions,
  GrepResult,
  LineEnd,
  ListEntry,
  ListOptions,
  ReadOptions,
  ResolvedPath,
  Sandbox,
  SandboxCallOptions,
  SandboxMountInfo,
  SkipCounts,
  TextEdit,
  WriteOptions,
  WrittenFile,
} from './sandbox.ts'
export type {
  LoadedSkill,
  SkillBudget,
  SkillInfo,
  SkillList,
  SkillProblem,
  SkillRegistry,
} from './skill-registry.ts'
export type {
  ErrorLogEntry,
  ToolCallDraft,
  ToolCallRecord,
  ToolCallStatus,
  ToolLogger,
} from './tool-call-record.ts'
export type { ToolResult } from './tool-result.ts'
