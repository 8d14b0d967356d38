import { type AccessCheck, errorInfo } from '@kgent/contracts'

export type Access = Parameters<AccessCheck>[0]

/** Asks one check and then the other; what either refuses is refused. A check that throws refuses. */
export function bothChecks(first: AccessCheck | null, second: AccessCheck): AccessCheck {
  const careful: AccessCheck = (access, path) => {
    try {
      return second(access, path)
    } catch {
      return errorInfo('permission_denied', `Nobody could say whether ${path} may be used, so it may not.`)
    }
  }
  return first === null ? careful : (access, path) => first(access, path) ?? careful(access, path)
}
