import type { Permission, PermissionRule, SandboxMountInfo } from '@kgent/contracts'

/** What the host program says. Nothing in a config or a skill can enable what it denies. */
export interface RuntimeLayer {
  /** Permissions that are denied everywhere. */
  deny?: readonly Permission[] | undefined
  rules?: readonly PermissionRule[] | undefined
  /** Destructive permissions that the host program itself turns on. Default: none. */
  allowDestructive?: readonly ('filesystemDelete' | 'shell')[] | undefined
}

/** What a person configures. A switch that is absent is not set; `null` is an error. */
export interface ConfigLayer {
  filesystemRead?: boolean | undefined
  filesystemWrite?: boolean | undefined
  filesystemDelete?: boolean | undefined
  shell?: boolean | undefined
  network?: boolean | undefined
  memoryWrite?: boolean | undefined
  rules?: readonly PermissionRule[] | undefined
  /** `observe`: let calls run and report what config and defaults would refuse. Default `enforce`. */
  mode?: 'enforce' | 'observe' | undefined
  /** What places in messages and rule ids begin with. Default `config.permissions`. */
  source?: string | undefined
}

/** What a skill asks for. Asking grants nothing. */
export interface SkillRequest {
  id: string
  permissions: readonly Permission[]
}

/** A tool as the checks at load time know it. */
export interface KnownTool {
  name: string
  /** Absent where the tool's permissions depend on its input. */
  permissions?: readonly Permission[] | undefined
}

/** Everything that a policy is made of, as data. */
export interface PolicyLayers {
  runtime?: RuntimeLayer | undefined
  config?: ConfigLayer | undefined
  skills?: readonly SkillRequest[] | undefined
  /** Absent: no constraint by mounts. With `mounts: []` every path is outside. */
  sandbox?: { readonly mounts: readonly SandboxMountInfo[] } | undefined
  /** Absent: rules are not checked against tools. */
  tools?: readonly KnownTool[] | undefined
}

/** What the places of config rules begin with. */
export const DEFAULT_CONFIG_SOURCE = 'config.permissions'
