/** Bytes; an index entry holds no more than 2,700. */
const LONGEST_SCOPE = 2_000

/** Why the database cannot keep this scope apart from others; null when it can. */
export function scopeProblem(scope: string): string | null {
  if (typeof scope !== 'string' || scope === '') return 'The memory scope is missing.'
  if (scope.includes('\0') || !scope.isWellFormed()) {
    return 'The memory scope holds NUL or half a character, which the memory database cannot tell apart.'
  }
  if (Buffer.byteLength(scope) > LONGEST_SCOPE)
    return `The memory scope is longer than ${LONGEST_SCOPE} bytes.`
  return null
}
