/**
 * What is wrong with an expression, in RE2's words. The piece that RE2 quotes is left out: messages reach the log, and an
 * agent's pattern does not belong there.
 */
export function syntaxError(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'syntax error'
  return thrown.message
    .replace(/^error parsing regexp: /, '')
    .replace(/: `[\s\S]*$/, '')
    .slice(0, 120)
}
