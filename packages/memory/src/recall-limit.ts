import { KgentError } from '@kgent/contracts'

const DEFAULT_LIMIT = 5

/**
 * How many items to ask for: 5 when nothing is said, at most `maxRecall`.
 * **Throws:** `KgentError` (`invalid_input`) for what is no whole number from 0.
 */
export function recallLimit(limit: number | null | undefined, maxRecall: number): number {
  const wanted = limit ?? Math.min(DEFAULT_LIMIT, maxRecall)
  if (typeof wanted === 'number' && wanted >= 0 && (Number.isInteger(wanted) || wanted === Infinity)) {
    return Math.min(wanted, maxRecall)
  }
  throw new KgentError('invalid_input', 'The limit must be a whole number from 0.')
}
