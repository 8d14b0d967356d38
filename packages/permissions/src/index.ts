export {
  BASE_PERMISSIONS,
  type BasePermission,
  type EffectivePermissionPolicy,
  type EffectiveRule,
  KgentError,
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
  type SandboxMountInfo,
  type ToolCallRecord,
} from '@kgent/contracts'
export { buildEffectivePolicy, findPolicyProblems } from './build-effective-policy.ts'
export { checkPermission } from './check-permission.ts'
export { type DeadRule, findDeadRules } from './dead-rules.ts'
export { type Explanation, explain } from './explain.ts'
export { failClosedGate } from './fail-closed-gate.ts'
export type { ConfigLayer, KnownTool, PolicyLayers, RuntimeLayer, SkillRequest } from './layers.ts'
export { escapeGlob } from './parse-glob.ts'
export { type Placement, placementOf } from './placement-of.ts'
export { type ChangedCall, type ChangedDecision, type ReplayReport, replayRecords } from './replay-records.ts'
export { type PolicyProblem, validateRules } from './validate-rules.ts'
export { withGate } from './with-gate.ts'
