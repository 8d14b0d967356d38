/**
 * How a path and a glob are compared. `composed`: accents written as one character or as two are the same.
 * `folded`: besides, upper and lower case are.
 */
export type PathSpelling = 'exact' | 'composed' | 'folded'

const BEYOND_ASCII = /[^\0-\x7f]/

/** The text under which equal spellings are equal. */
export function respell(text: string, spelling: PathSpelling): string {
  if (spelling === 'exact') return text
  if (!BEYOND_ASCII.test(text)) return spelling === 'composed' ? text : text.toLowerCase()
  const composed = text.normalize('NFC')
  return spelling === 'composed' ? composed : composed.toUpperCase().toLowerCase().normalize('NFC')
}

/** The looser comparison that restrictions also use for this path, or null where it could find nothing more. */
export function looserSpelling(path: string, ignoreCase: boolean): Exclude<PathSpelling, 'exact'> | null {
  if (ignoreCase) return 'folded'
  return BEYOND_ASCII.test(path) ? 'composed' : null
}
