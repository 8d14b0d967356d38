import type { Permission, ResolvedPermissionRequest } from '@kgent/contracts'
import { looserSpelling, type PathSpelling, respell } from './path-spelling.ts'

/** A request with what is worked out once for all rules. */
export interface Subject {
  readonly permission: Permission
  readonly tool: string
  readonly scope: string | undefined
  /** Undefined where the request has no path, or one that no rule can be held against. */
  readonly path: string | undefined
  readonly isUnresolved: boolean
  /** How restrictions also compare the path, and its text for that. */
  readonly looser: { readonly spelling: PathSpelling; readonly path: string } | null
}

/** Empty, `.` and `..` segments and NUL: what a resolved path never has. */
const UNRESOLVED = /(?:^|\/)\.{0,2}(?:\/|$)|\0/

export function subjectOf({ permission, tool, path, scope, ignoreCase }: ResolvedPermissionRequest): Subject {
  if (path === undefined) return { permission, tool, scope, path, isUnresolved: false, looser: null }
  if (UNRESOLVED.test(path))
    return { permission, tool, scope, path: undefined, isUnresolved: true, looser: null }
  const spelling = looserSpelling(path, ignoreCase === true)
  const looser = spelling && { spelling, path: respell(path, spelling) }
  return { permission, tool, scope, path, isUnresolved: false, looser }
}
