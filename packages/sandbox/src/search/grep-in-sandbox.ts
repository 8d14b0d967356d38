import type { AccessCheck, GrepOptions, GrepResult, Outcome } from '@kgent/contracts'
import { missing } from '../near-miss.ts'
import { notAFile } from '../open-file.ts'
import { type SandboxState, withLocation } from '../sandbox-state.ts'
import { grepLocated } from './grep-files.ts'

interface Searching {
  options: GrepOptions
  check: AccessCheck | null
}

/** Searches a file, or a folder with everything below it. */
export function grepFiles(
  state: SandboxState,
  pattern: string,
  { options, check }: Searching,
): Promise<Outcome<GrepResult>> {
  const asked = { path: options.path ?? state.defaultMount, access: ['filesystemRead'] as const, check }
  return withLocation(state, asked, (location) => {
    const error =
      missing(location, { state, check }) ?? (location.kind === 'directory' ? null : notAFile(location))
    return error
      ? { ok: false, error }
      : grepLocated(location, { pattern, options, limits: state.limits, check })
  })
}
