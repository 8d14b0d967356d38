const MASK = '[masked]'

const FORMS: readonly (readonly [form: RegExp, replacement: string])[] = [
  [/((?:password|passwd|secret|api[_-]?key|token)["']?\s*[:=]\s*)["']?[^\s"',;]{4,}["']?/gi, `$1${MASK}`],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/._=-]{8,}/gi, `$1 ${MASK}`],
  [/:\/\/[^/\s:@]+:[^/\s@]+@/g, `://${MASK}@`],
  [/\bAKIA[0-9A-Z]{16}\b/g, MASK],
  [/\b(?:gh[pousr]_|sk-|xox[abprs]-)[A-Za-z0-9_-]{16,}/g, MASK],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, MASK],
]

/** A line as it may be repeated in a report: what looks like a password, key or token is masked. */
export function maskSecrets(text: string): string {
  return FORMS.reduce((masked, [form, replacement]) => masked.replace(form, replacement), text)
}
