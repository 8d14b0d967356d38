import { KgentError } from '@kgent/contracts'
import { DEFAULT_SANDBOX_LIMITS, type SandboxLimits } from './limits.ts'

/** Limits as they are given: what is left out, or undefined, is the default. */
export type GivenLimits = { [K in keyof SandboxLimits]?: number | undefined }

/**
 * The limits with their defaults.
 * **Throws:** `KgentError` (`config_invalid`) for a name that is none of theirs, or no whole number of 1 or more.
 */
export function limitsWithDefaults(given: GivenLimits): SandboxLimits {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  for (const [name, value] of set) {
    if (!Object.hasOwn(DEFAULT_SANDBOX_LIMITS, name))
      throw invalid(`There is no limit ${name}. Limits: ${Object.keys(DEFAULT_SANDBOX_LIMITS).join(', ')}.`)
    if (!Number.isSafeInteger(value) || Number(value) < 1)
      throw invalid(`limits.${name} must be a whole number of 1 or more.`)
  }
  return { ...DEFAULT_SANDBOX_LIMITS, ...(Object.fromEntries(set) as Partial<SandboxLimits>) }
}

/**
 * Mount of paths that name none.
 * **Throws:** `KgentError` (`config_invalid`) for one that is not there.
 */
export function defaultMountOf(given: string | undefined, names: readonly string[]): string {
  if (given !== undefined && !names.includes(given))
    throw invalid(`defaultMount ${given} is none of the mounts: ${names.join(', ')}.`)
  return given ?? (names.includes('workspace') ? 'workspace' : (names[0] ?? 'workspace'))
}

function invalid(message: string): KgentError {
  return new KgentError('config_invalid', message)
}
