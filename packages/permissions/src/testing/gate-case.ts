import type { PermissionGate, PermissionRule } from '@kgent/contracts'

/** What a gate is to know. Permissions are custom ones (`kit.read`), about which no engine has defaults. */
export interface GateScenario {
  /** Everything that anybody has said. The order carries no meaning. */
  readonly rules: readonly PermissionRule[]
  /** Whether the engine, or what it consults, fails when it is asked. */
  readonly fails: boolean
}

/** Makes a gate of its own for each scenario: translate the rules into what your engine reads. */
export type CreateGate = (scenario: GateScenario) => PermissionGate | Promise<PermissionGate>

/** What an engine can say. Declare what yours cannot; the cases about it are then not applicable. */
export interface GateSupport {
  ask: boolean
  paths: boolean
  tools: boolean
  scopes: boolean
  ignoreCase: boolean
}

/** One thing that a gate must get right. `run` rejects with what is wrong. */
export interface GateCase {
  readonly id: string
  readonly name: string
  /** Why the case does not apply, or null. */
  readonly notApplicable: string | null
  run(): Promise<void>
}

/** What a group of cases is given. */
export interface CaseContext {
  gate(rules: readonly PermissionRule[], fails?: boolean): Promise<PermissionGate>
  readonly supports: GateSupport
}

export function gateCase(
  id: string,
  name: string,
  { run, needs }: { run: () => Promise<void>; needs?: string | false },
): GateCase {
  return { id: `gate/${id}`, name, notApplicable: needs ? `the engine does not support ${needs}` : null, run }
}
