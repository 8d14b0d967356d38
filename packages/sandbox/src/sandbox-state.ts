import { type AccessCheck, fail, type Outcome, type SandboxMountInfo } from '@kgent/contracts'
import type { Access } from './access.ts'
import type { SandboxLimits } from './limits.ts'
import { type Location, locate } from './locate.ts'
import { closeMounts, type OpenMount } from './mount-table.ts'
import { type ParsedPath, parsePath } from './parse-path.ts'
import type { Durability } from './put-file.ts'
import { systemError } from './system-error.ts'

/** What is open and settled for all operations of a sandbox. */
export interface SandboxState {
  readonly mounts: readonly OpenMount[]
  readonly info: readonly SandboxMountInfo[]
  /** First segments of the mounts' names. */
  readonly roots: ReadonlySet<string>
  readonly defaultMount: string
  readonly limits: SandboxLimits
  readonly durability: Durability
  closed: boolean
  /** Operations that still use a descriptor: none is closed under them. */
  running: number
}

export function parseIn({ roots, defaultMount }: SandboxState, path: string): Outcome<ParsedPath> {
  return parsePath(path, { mountRoots: roots, defaultMount })
}

export function closeState(state: SandboxState): void {
  if (!state.closed && state.running === 0) closeMounts(state.mounts)
  state.closed = true
}

export interface Asked {
  path: string
  /** What the check is asked for; empty asks nothing. */
  access: readonly Access[]
  check: AccessCheck | null
}

/** Locates a path, asks the check about where it really leads, and uses it while everything on the way is held. */
export async function withLocation<T>(
  state: SandboxState,
  { path, access, check }: Asked,
  use: (location: Location) => Outcome<T> | Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  if (state.closed) return fail('io_error', 'The sandbox is closed.')
  const parsed = parseIn(state, path)
  if (!parsed.ok) return parsed
  const located = locate(state.mounts, parsed.value.segments, path)
  if (!located.ok) return located
  const location = located.value
  state.running += 1
  try {
    for (const one of access) {
      const refusal = check?.(one, location.path)
      if (refusal) return { ok: false, error: refusal }
    }
    return await use(location)
  } catch (thrown) {
    return { ok: false, error: systemError(thrown, location.path) }
  } finally {
    location.release()
    state.running -= 1
    if (state.closed && state.running === 0) closeMounts(state.mounts)
  }
}
