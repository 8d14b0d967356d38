import { type ErrorInfo, errorInfo, KgentError, type SkillBudget } from '@kgent/contracts'

export const DEFAULT_BUDGET = { maxLoaded: 8, maxBytes: 256 * 1024 }

/** What is loaded in a run, and what still fits. */
export interface LoadedBudget {
  state(): SkillBudget
  has(id: string): boolean
  /** Charges a skill, or says why it does not fit; a refusal changes nothing. */
  charge(id: string, bytes: number): ErrorInfo | null
  free(id: string): boolean
}

/** **Throws:** `KgentError` (`config_invalid`) for bounds that are not whole numbers from 0. */
export function createLoadedBudget(given: Partial<typeof DEFAULT_BUDGET> = {}): LoadedBudget {
  const maxLoaded = given.maxLoaded ?? DEFAULT_BUDGET.maxLoaded
  const maxBytes = given.maxBytes ?? DEFAULT_BUDGET.maxBytes
  for (const [name, value] of Object.entries({ maxLoaded, maxBytes })) {
    if (Number.isSafeInteger(value) && value >= 0) continue
    throw new KgentError('config_invalid', `The skill budget ${name} must be a whole number from 0.`)
  }
  const loaded = new Map<string, number>()
  const state = (): SkillBudget => ({
    maxLoaded,
    maxBytes,
    loaded: loaded.size,
    bytes: [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0),
  })
  return {
    state,
    has: (id) => loaded.has(id),
    charge(id, bytes) {
      const now = state()
      if (now.loaded < maxLoaded && now.bytes + bytes <= maxBytes) {
        loaded.set(id, bytes)
        return null
      }
      return overBudget(id, { now, bytes, loaded: [...loaded.keys()] })
    },
    free: (id) => loaded.delete(id),
  }
}

function overBudget(id: string, use: { now: SkillBudget; bytes: number; loaded: string[] }): ErrorInfo {
  const { now, bytes, loaded } = use
  const limit =
    now.loaded >= now.maxLoaded
      ? `${now.loaded} of ${now.maxLoaded} skills are loaded`
      : `it needs ${bytes} bytes, and ${now.bytes} of ${now.maxBytes} are used`
  const which = loaded.length > 0 ? ` Loaded: ${loaded.join(', ')}.` : ''
  return errorInfo('skill_over_budget', `Skill ${id} was not loaded: ${limit}.${which}`, {
    details: { skill: id, needsBytes: bytes, loadedSkills: loaded, budget: { ...now } },
  })
}
