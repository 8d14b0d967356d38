import type { AccessCheck, FileList, ResolvedPath } from '@kgent/contracts'
import { parseIn, type SandboxState } from './sandbox-state.ts'

/** A folder that exists only as the beginning of mounts' names: `skills` for `skills/report`. */
export interface VirtualFolder {
  path: string
  children: string[]
}

export function virtualFolder(state: SandboxState, path: string): VirtualFolder | null {
  const parsed = parseIn(state, path)
  if (!parsed.ok) return null
  const name = parsed.value.segments.filter((segment) => segment !== '.').join('/')
  const below = state.mounts.filter((mount) => mount.name.startsWith(`${name}/`))
  if (below.length === 0 || state.mounts.some((mount) => mount.name === name)) return null
  const children = new Set(below.map((mount) => mount.name.slice(name.length + 1).split('/')[0] ?? ''))
  return { path: name, children: [...children].sort() }
}

export function resolveVirtual({ path }: VirtualFolder): ResolvedPath {
  return { path, mount: { name: path, mode: 'ro', ignoresCase: false }, type: 'directory' }
}

export function listVirtual({ path, children }: VirtualFolder, check: AccessCheck | null): FileList {
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
