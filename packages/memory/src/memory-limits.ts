import { KgentError } from '@kgent/contracts'

/** Bounds of memory calls. */
export interface MemoryLimits {
  /** Most items of one answer; a larger wish is cut to it. Default 20. */
  maxRecall: number
  /** Default 16 KiB. */
  maxContentBytes: number
}

const DEFAULTS: MemoryLimits = { maxRecall: 20, maxContentBytes: 16 * 1024 }

/** Fills in defaults. **Throws:** `KgentError` (`config_invalid`). */
export function memoryLimits(given: Partial<MemoryLimits> = {}): MemoryLimits {
  return {
    maxRecall: positive('limits.maxRecall', given.maxRecall ?? DEFAULTS.maxRecall),
    maxContentBytes: positive('limits.maxContentBytes', given.maxContentBytes ?? DEFAULTS.maxContentBytes),
  }
}

/** **Throws:** `KgentError` (`config_invalid`) unless the value is a whole number from 1. */
export function positive(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new KgentError('config_invalid', `${name} of the memory must be a whole number from 1.`)
}
