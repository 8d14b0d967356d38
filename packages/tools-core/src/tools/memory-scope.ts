import { type ErrorInfo, errorInfo, type MemoryClient } from '@kgent/contracts'

export type ChosenScope = { scope: string } | { error: ErrorInfo }

/** The scope of a memory call: the one given, if the host allows it; else the only one there is. Never “all”. */
export function chooseScope(memory: MemoryClient, given: string | undefined): ChosenScope {
  const { scopes } = memory
  if (given !== undefined) {
    return scopes === undefined || scopes.includes(given)
      ? { scope: given }
      : { error: scopeError('That memory scope is not allowed.', scopes) }
  }
  const [only, ...others] = scopes ?? []
  return only !== undefined && others.length === 0
    ? { scope: only }
    : { error: scopeError('A memory scope is needed.', scopes ?? []) }
}

function scopeError(message: string, scopes: readonly string[]): ErrorInfo {
  return errorInfo('memory_scope', `${message} The scopes are: ${scopes.join(', ') || 'none'}.`, {
    details: { scopes: [...scopes] },
  })
}
