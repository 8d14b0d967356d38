import type { AccessCheck, ErrorInfo, Sandbox, WriteOptions } from '@kgent/contracts'
import { fail, succeed } from '@kgent/contracts'
import { bothChecks } from './access.ts'
import { defaultMountOf, type GivenLimits, limitsWithDefaults } from './check-options.ts'
import { hasDescriptorPaths } from './descriptors.ts'
import { editLocated } from './edit-file.ts'
import { listFiles } from './list-in-sandbox.ts'
import { openMounts, type SandboxMount } from './mount-table.ts'
import { missing } from './near-miss.ts'
import { readFile } from './read-in-sandbox.ts'
import { closeState, type SandboxState, withLocation } from './sandbox-state.ts'
import { grepFiles } from './search/grep-in-sandbox.ts'
import { sweepTemporary } from './sweep-temporary.ts'
import { resolveVirtual, virtualFolder } from './virtual-folder.ts'
import { writeLocated } from './write-file.ts'

export interface SandboxOptions {
  mounts: readonly SandboxMount[]
  limits?: GivenLimits
  /** `disk`: written files are also synced. Default `os`. */
  durability?: 'os' | 'disk'
  /** Mount of paths that name none. Default `workspace`, else the first. */
  defaultMount?: string
}

/**
 * A sandbox over named folders of the host.
 * **Throws:** `KgentError` (`config_invalid`) for a bad mount, limit or default.
 */
export function createSandbox({ mounts: given, limits, durability, defaultMount }: SandboxOptions): Sandbox {
  const bounds = limitsWithDefaults(limits ?? {})
  const names = given.map(({ name }) => name)
  const fallback = defaultMountOf(defaultMount, names)
  const mounts = openMounts(given)
  sweepTemporary(mounts)
  const state: SandboxState = {
    mounts,
    info: Object.freeze(
      mounts.map(({ name, mode, ignoresCase }) => Object.freeze({ name, mode, ignoresCase })),
    ),
    roots: new Set(names.map((name) => name.split('/')[0] ?? name)),
    defaultMount: fallback,
    limits: bounds,
    durability: durability ?? 'os',
    closed: false,
    running: 0,
  }
  return sandboxOver(state, null)
}

function sandboxOver(state: SandboxState, check: AccessCheck | null): Sandbox {
  return {
    mounts: state.info,
    guarantee: hasDescriptorPaths() ? 'race-free' : 'checked',
    resolvePath: (path) => resolvePath(state, path),
    readFile: (path, options) => readFile(state, path, { options: options ?? {}, check }),
    writeFile: (path, content, options) => writeFile(state, path, { content, options: options ?? {}, check }),
    editFile: (path, edits, options) =>
      withLocation(state, { path, access: ['filesystemRead', 'filesystemWrite'], check }, (location) => {
        const { limits, durability } = state
        const error = missing(location, { state, check })
        const expectedSha256 = options?.expectedSha256
        return error
          ? { ok: false, error }
          : editLocated(location, edits, { expectedSha256, limits, durability })
      }),
    listFiles: (path, options) =>
      listFiles(state, path ?? state.defaultMount, { options: options ?? {}, check }),
    grepFiles: (pattern, options) => grepFiles(state, pattern, { options: options ?? {}, check }),
    withAccessCheck: (next) => sandboxOver(state, bothChecks(check, next)),
    close: () => closeState(state),
  }
}

async function resolvePath(state: SandboxState, path: string) {
  const virtual = virtualFolder(state, path)
  if (virtual) return succeed(resolveVirtual(virtual))
  return withLocation(state, { path, access: [], check: null }, ({ path: target, mount, kind }) => {
    const { name, mode, ignoresCase } = mount
    return succeed({ path: target, mount: { name, mode, ignoresCase }, type: kind })
  })
}

interface Writing {
  content: string
  options: WriteOptions
  check: AccessCheck | null
}

/** What a file held is looked at only for whom may read it. */
function writeFile(state: SandboxState, path: string, { content, options, check }: Writing) {
  const { limits, durability } = state
  const { expectedSha256, signal } = options
  return withLocation(state, { path, access: ['filesystemWrite'], check }, (location) => {
    if (signal?.aborted) return fail('aborted', 'Writing was cancelled; nothing was written.')
    const unreadable: ErrorInfo | null =
      location.kind === 'file' ? (check?.('filesystemRead', location.path) ?? null) : null
    if (unreadable && expectedSha256 !== undefined) return { ok: false, error: unreadable }
    const mayRead = unreadable === null
    return writeLocated(location, content, { expectedSha256, limits, durability, mayRead })
  })
}
