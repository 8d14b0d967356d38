import { closeSync } from 'node:fs'
import { type AccessCheck, type FileWindow, fail, type Outcome, type ReadOptions } from '@kgent/contracts'
import { missing } from './near-miss.ts'
import { openDirectly } from './open-directly.ts'
import { notAFile, type OpenTarget } from './open-file.ts'
import { readTarget } from './read-file.ts'
import { parseIn, type SandboxState, withLocation } from './sandbox-state.ts'
import { systemError } from './system-error.ts'

interface Reading {
  options: ReadOptions
  check: AccessCheck | null
}

/** Reads a window of a file: opened in one step where that does, else by walking the path. */
export async function readFile(
  state: SandboxState,
  path: string,
  { options, check }: Reading,
): Promise<Outcome<FileWindow>> {
  if (state.closed) return fail('io_error', 'The sandbox is closed.')
  const parsed = parseIn(state, path)
  if (!parsed.ok) return parsed
  const { limits } = state
  const target = openDirectly(state.mounts, parsed.value.segments)
  if (target) return readOpened(target, { options, check, limits })
  return withLocation(state, { path, access: ['filesystemRead'], check }, (location) => {
    const error = missing(location, { state, check }) ?? notAFile(location)
    return error ? { ok: false, error } : readTarget(location, { options, limits })
  })
}

/** Reads what is open already, and closes it. */
function readOpened(
  target: OpenTarget,
  { options, check, limits }: Reading & Pick<SandboxState, 'limits'>,
): Outcome<FileWindow> | Promise<Outcome<FileWindow>> {
  try {
    const error = check?.('filesystemRead', target.path) ?? notAFile(target)
    return error ? { ok: false, error } : readTarget(target, { options, limits })
  } catch (thrown) {
    return { ok: false, error: systemError(thrown, target.path) }
  } finally {
    closeSync(target.descriptor)
  }
}
