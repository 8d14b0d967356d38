import { type ErrorInfo, errorInfo, KgentError } from '@kgent/contracts'

/** The scopes that a host allows. **Throws:** `KgentError` (`config_invalid`) when there is none, or one is no text. */
export function allowedScopes(scopes: readonly string[]): readonly string[] {
  const usable = Array.isArray(scopes) && scopes.length > 0 && scopes.every(isScope)
  if (usable) return Object.freeze([...new Set(scopes)])
  throw new KgentError(
    'config_invalid',
    'Give scopes, at least one text that is not empty: nothing is remembered for “all”.',
  )
}

/** Why a scope is not allowed; null when it is. */
export function checkScope(scope: unknown, allowed: readonly string[]): ErrorInfo | null {
  if (typeof scope === 'string' && allowed.includes(scope)) return null
  const fault = isScope(scope) ? 'That memory scope is not allowed.' : 'A memory scope is needed.'
  return errorInfo('memory_scope', `${fault} The scopes are: ${allowed.join(', ')}.`, {
    details: { scopes: [...allowed] },
  })
}

function isScope(scope: unknown): boolean {
  return typeof scope === 'string' && scope.trim() !== '' && scope.isWellFormed()
}
