import {
  type AccessCheck,
  type ErrorInfo,
  errorInfo,
  type FileList,
  type FileWindow,
  fail,
  type GrepOptions,
  type ListOptions,
  type Outcome,
  type ResolvedPath,
  type Sandbox,
  type SandboxMountInfo,
  succeed,
} from '@kgent/contracts'
import { hasDescriptorPaths } from './descriptors.ts'
import { editLocated } from './edit-file.ts'
import { DEFAULT_SANDBOX_LIMITS, type SandboxLimits } from './limits.ts'
import { listLocated } from './list-files.ts'
import { type Location, locate } from './locate.ts'
import { closeMounts, type OpenMount, openMounts, type SandboxMount } from './mount-table.ts'
import { nearMiss } from './near-miss.ts'
import { notAFile, withOpenFile } from './open-file.ts'
import { parsePath, shown } from './parse-path.ts'
import { type DirectRead, readDirectly } from './read-directly.ts'
import { readWindow } from './read-file.ts'
import { grepLocated } from './search/grep-files.ts'
import { sweepTemporary } from './sweep-temporary.ts'
import { systemError } from './system-error.ts'
import { writeLocated } from './write-file.ts'

export interface SandboxOptions {
  mounts: readonly SandboxMount[]
  limits?: { [K in keyof SandboxLimits]?: number | undefined }
  /** `disk`: written files are also synced. Default `os`. */
  durability?: 'os' | 'disk'
  /** Mount of paths that name none. Default `workspace`, else the first. */
  defaultMount?: string
}

/**
 * A sandbox over named folders of the host.
 * **Throws:** `KgentError` (`config_invalid`) for a bad mount.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const mounts = openMounts(options.mounts)
  sweepTemporary(mounts)
  const state: State = {
    mounts,
    info: Object.freeze(
      mounts.map(({ name, mode, ignoresCase }) => Object.freeze({ name, mode, ignoresCase })),
    ),
    roots: new Set(mounts.map(({ name }) => name.split('/')[0] ?? name)),
    defaultMount:
      options.defaultMount ??
      (mounts.some(({ name }) => name === 'workspace') ? 'workspace' : (mounts[0]?.name ?? 'workspace')),
    limits: withDefaults(options.limits ?? {}),
    durability: options.durability ?? 'os',
    closed: false,
    running: 0,
  }
  return sandboxOver(state, null)
}

interface State {
  readonly mounts: readonly OpenMount[]
  readonly info: readonly SandboxMountInfo[]
  readonly roots: ReadonlySet<string>
  readonly defaultMount: string
  readonly limits: SandboxLimits
  readonly durability: 'os' | 'disk'
  closed: boolean
  /** Operations that still use a descriptor: none is closed under them. */
  running: number
}

function withDefaults(given: SandboxOptions['limits'] & object): SandboxLimits {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...DEFAULT_SANDBOX_LIMITS, ...(Object.fromEntries(set) as Partial<SandboxLimits>) }
}

function sandboxOver(state: State, check: AccessCheck | null): Sandbox {
  const { limits, durability } = state
  const at = <T>(
    path: string,
    access: Access | null,
    use: (location: Location) => Outcome<T> | Promise<Outcome<T>>,
  ) => withLocation(state, { path, access, check }, use)
  return {
    mounts: state.info,
    guarantee: hasDescriptorPaths() ? 'race-free' : 'checked',
    resolvePath: (path) => resolvePath(state, path),
    readFile: async (path, options = {}) =>
      directly(state, path, { options, limits, check }) ??
      at(path, 'filesystemRead', (location) => {
        const refusal = missing(location, check) ?? notAFile(location)
        if (refusal) return { ok: false, error: refusal }
        return withOpenFile(location, (descriptor) =>
          readWindow(descriptor, location.path, { options, limits, size: location.stats?.size ?? 0 }),
        )
      }),
    writeFile: (path, content, { expectedSha256 } = {}) =>
      at(path, 'filesystemWrite', (location) =>
        writeLocated(location, { content, expectedSha256, limits, durability }),
      ),
    editFile: (path, edits, { expectedSha256 } = {}) =>
      at(path, 'filesystemWrite', (location) => {
        const refusal = missing(location, check)
        return refusal
          ? { ok: false, error: refusal }
          : editLocated(location, edits, { expectedSha256, limits, durability })
      }),
    listFiles: (path = state.defaultMount, options = {}) => listFiles(state, { path, options, check }),
    grepFiles: (pattern, options = {}) => grepFiles(state, { pattern, options, check }),
    withAccessCheck: (next) => sandboxOver(state, next),
    close() {
      if (!state.closed && state.running === 0) closeMounts(state.mounts)
      state.closed = true
    },
  }
}

/** The file's window without walking the path; null where the path must be walked, or refused. */
function directly(state: State, path: string, read: DirectRead): Outcome<FileWindow> | null {
  if (state.closed) return null
  const parsed = parsePath(path, { mountRoots: state.roots, defaultMount: state.defaultMount })
  return parsed.ok ? readDirectly(state.mounts, parsed.value.segments, read) : null
}

type Access = 'filesystemRead' | 'filesystemWrite'

interface Asked {
  path: string
  /** What the check is asked for; null asks nothing. */
  access: Access | null
  check: AccessCheck | null
}

/** Locates a path, asks the check about where it really leads, and uses it while everything on the way is held. */
async function withLocation<T>(
  state: State,
  asked: Asked,
  use: (location: Location) => Outcome<T> | Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  if (state.closed) return fail('io_error', 'The sandbox is closed.')
  const parsed = parsePath(asked.path, { mountRoots: state.roots, defaultMount: state.defaultMount })
  if (!parsed.ok) return parsed
  const located = locate(state.mounts, parsed.value.segments, asked.path)
  if (!located.ok) return located
  const location = located.value
  state.running += 1
  try {
    const refusal = asked.access && asked.check ? asked.check(asked.access, location.path) : null
    return refusal ? { ok: false, error: refusal } : await use(location)
  } catch (thrown) {
    return { ok: false, error: systemError(thrown, location.path) }
  } finally {
    location.release()
    state.running -= 1
    if (state.closed && state.running === 0) closeMounts(state.mounts)
  }
}

async function resolvePath(state: State, path: string): Promise<Outcome<ResolvedPath>> {
  const virtual = virtualFolder(state, path)
  if (virtual)
    return succeed({
      path: virtual.path,
      mount: { name: virtual.path, mode: 'ro', ignoresCase: false },
      type: 'directory',
    })
  return withLocation(state, { path, access: null, check: null }, ({ path: target, mount, kind }) => {
    const { name, mode, ignoresCase } = mount
    return succeed({ path: target, mount: { name, mode, ignoresCase }, type: kind })
  })
}

/** A folder that exists only as the beginning of mounts' names: `skills` for `skills/report`. */
function virtualFolder(state: State, path: string): { path: string; children: string[] } | null {
  const parsed = parsePath(path, { mountRoots: state.roots, defaultMount: state.defaultMount })
  if (!parsed.ok) return null
  const name = parsed.value.segments.filter((segment) => segment !== '.').join('/')
  const below = state.mounts.filter((mount) => mount.name.startsWith(`${name}/`))
  if (below.length === 0 || state.mounts.some((mount) => mount.name === name)) return null
  const children = new Set(below.map((mount) => mount.name.slice(name.length + 1).split('/')[0] ?? ''))
  return { path: name, children: [...children].sort() }
}

interface ListAsked {
  path: string
  options: ListOptions
  check: AccessCheck | null
}

async function listFiles(state: State, { path, options, check }: ListAsked): Promise<Outcome<FileList>> {
  const virtual = virtualFolder(state, path)
  if (virtual) return succeed(virtualList(virtual, check))
  const targetOf = (link: string): string | null => {
    const target = locate(state.mounts, link.split('/'), link)
    if (!target.ok) return null
    target.value.release()
    const { kind, path: found } = target.value
    const isHidden = check !== null && check('filesystemRead', found) !== null
    return kind === 'missing' || isHidden ? null : found
  }
  return withLocation(state, { path, access: 'filesystemRead', check }, (location) => {
    const refusal = missing(location, check)
    return refusal
      ? { ok: false, error: refusal }
      : listLocated(location, { options, limits: state.limits, check, targetOf })
  })
}

function virtualList(
  { path, children }: { path: string; children: string[] },
  check: AccessCheck | null,
): FileList {
  const paths = children.map((child) => `${path}/${child}`)
  const visible = paths.filter((child) => check === null || check('filesystemRead', child) === null)
  const denied = paths.length - visible.length
  return {
    path,
    entries: visible.map((child) => ({ path: child, type: 'directory', bytes: null, modifiedAt: null })),
    truncated: false,
    leftOut: denied > 0 ? { denied } : {},
  }
}

async function grepFiles(
  state: State,
  asked: { pattern: string; options: GrepOptions; check: AccessCheck | null },
) {
  const { pattern, options, check } = asked
  return withLocation(
    state,
    { path: options.path ?? state.defaultMount, access: 'filesystemRead', check },
    (location) => {
      const refusal = missing(location, check) ?? (location.kind === 'directory' ? null : notAFile(location))
      return refusal
        ? { ok: false, error: refusal }
        : grepLocated(location, { pattern, options, limits: state.limits, check })
    },
  )
}

/** That nothing is there, with the entry that may have been meant. */
function missing(location: Location, check: AccessCheck | null): ErrorInfo | null {
  if (location.kind !== 'missing') return null
  const near = nearMiss(location, (path) => check === null || check('filesystemRead', path) === null)
  const hint = near === null ? undefined : `There is ${shown(near)}: copy that name exactly.`
  return errorInfo('not_found', `Nothing is at ${shown(location.path)}.`, { hint })
}
