import { readdirSync } from 'node:fs'
import type { Location } from './locate.ts'
import { isTemporaryName } from './temporary-name.ts'

const MAX_NAMES = 5_000

/**
 * The entry that differs from a missing name only by case, space, accents or form, as a path; null when there is none.
 * `mayShow` keeps names secret that a rule hides.
 */
export function nearMiss(location: Location, mayShow: (path: string) => boolean): string | null {
  const [name] = location.missing
  if (name === undefined) return null
  const wanted = fold(name)
  const parent = location.path.split('/').slice(0, -location.missing.length).join('/')
  const found = namesIn(location)
    .filter((candidate) => candidate !== name && !isTemporaryName(candidate) && fold(candidate) === wanted)
    .map((candidate) => `${parent}/${candidate}`)
    .find(mayShow)
  return found ?? null
}

function namesIn({ folder }: Location): string[] {
  try {
    return readdirSync(folder.self).slice(0, MAX_NAMES)
  } catch {
    return []
  }
}

function fold(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/gu, ' ').trim().toLowerCase()
}
