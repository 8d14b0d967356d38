import type { ErrorInfo } from './error-info.ts'

/** The permissions that the policy speaks of by name; every one is a boolean of the effective policy. */
export const BASE_PERMISSIONS = [
  'filesystemRead',
  'filesystemWrite',
  'filesystemDelete',
  'shell',
  'network',
  'memoryWrite',
] as const

export type BasePermission = (typeof BASE_PERMISSIONS)[number]

/** A base permission, or a custom one that a tool of the user's names (`crm.write`). What nobody granted is denied. */
export type Permission = BasePermission | (string & {})

export type PermissionEffect = 'allow' | 'ask' | 'deny'

/** Where a rule comes from. `default` is the closing “nobody allowed it”. */
export type PermissionLayer = 'runtime' | 'sandbox' | 'config' | 'skill' | 'default'

/**
 * A rule as a person writes it. It holds where every given condition holds; a condition that is absent holds
 * everywhere, one that is `[]` holds nowhere.
 */
export interface PermissionRule {
  id?: string | undefined
  effect: PermissionEffect
  /** A permission, or `*` for every permission. */
  permission: Permission
  /**
   * Globs over the whole resolved sandbox path (`inputs/.private/**`), leading dots like any other character.
   * One without wildcards names a file, or a folder with everything below it.
   */
  paths?: readonly string[] | undefined
  tools?: readonly string[] | undefined
  scopes?: readonly string[] | undefined
  reason?: string | undefined
}

/** One thing that a call needs: what a tool's `permissions` give, with the resource it is about. */
export interface PermissionRequest {
  permission: Permission
  /** A sandbox path as the caller wrote it; the core resolves it before the policy sees it. */
  path?: string
  /** A memory scope. */
  scope?: string
  /** Free text for custom permissions: the record, queue or host that is meant. */
  resource?: string
}

/** A request as the policy decides it: the path is resolved, the tool is named. */
export interface ResolvedPermissionRequest extends PermissionRequest {
  tool: string
  /** Whether the file system under this path ignores case; denials then ignore it too. */
  ignoreCase?: boolean
}

/** The answer to one request; allowed ones say as much as denied ones. */
export interface PermissionDecision {
  permission: Permission
  /** The resolved path, scope or resource; null when the request is about the permission as such. */
  resource: string | null
  decision: PermissionEffect
  layer: PermissionLayer
  /** Id of the rule that decided, with its place (`config.permissions.rules[2]`) when it has no id of its own. */
  rule: string | null
  reason: string
  /** Who had asked for this permission in advance: `skill:<id>` … */
  requestedBy: string[]
  /** In observe mode: what would have been decided. The call runs. */
  observed?: PermissionEffect
}

/**
 * Decides one request.
 * **Contract:** pure and synchronous (it is asked for every entry of a listing), never falls back to allow. A gate that
 * throws counts as a denial.
 */
export type PermissionGate = (request: ResolvedPermissionRequest) => PermissionDecision

/** A rule inside a policy, with its layer and the place it came from. */
export interface EffectiveRule extends Readonly<PermissionRule> {
  readonly id: string
  readonly layer: PermissionLayer
  /** Where it stands: `runtime default`, `config.permissions.rules[0]`, `sandbox mount inputs` … */
  readonly source: string
}

/** A permission that a skill asked for, and what became of it. */
export interface PermissionWish {
  readonly permission: Permission
  readonly requestedBy: string
  readonly granted: boolean
  /** The layer and rule that grants it, or null. */
  readonly grantedBy: string | null
  readonly reason: string
}

/** A remark about the policy that does not stop the start. */
export interface PolicyWarning {
  readonly place: string
  readonly message: string
}

/**
 * The merged policy of a run: six booleans (“may this be done anywhere at all?”) and everything behind them.
 * **Contract:** frozen; `check` agrees with the data and is the only thing that decides.
 */
export interface EffectivePermissionPolicy {
  readonly filesystemRead: boolean
  readonly filesystemWrite: boolean
  readonly filesystemDelete: boolean
  readonly shell: boolean
  readonly network: boolean
  readonly memoryWrite: boolean
  readonly mode: 'enforce' | 'observe'
  readonly rules: readonly EffectiveRule[]
  readonly wishes: readonly PermissionWish[]
  readonly warnings: readonly PolicyWarning[]
  readonly check: PermissionGate
}

/** What the origin calls the result of a check: the decision in the shape that callers branch on. */
export interface PermissionResult {
  allowed: boolean
  reason: string | null
  error: ErrorInfo | null
}
