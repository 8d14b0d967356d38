import type { SandboxMountInfo } from '@kgent/contracts'

const DEFAULT_MOUNT = 'workspace'

/**
 * `<mount>/<path>` by the letters of a path alone, nothing of the disk looked at; null when that lies in no mount. For
 * words about a path that does not resolve; what is used is always the resolved path.
 */
export function pathAsWritten(
  path: string,
  mounts: readonly SandboxMountInfo[],
): { path: string; ignoreCase: boolean } | null {
  const first = path.split('/').find((segment) => segment !== '' && segment !== '.')
  const namesMount = mounts.some(({ name }) => name.split('/')[0] === first)
  const segments = namesMount || path.startsWith('/') ? [] : [DEFAULT_MOUNT]
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  const written = segments.join('/')
  const mount = mounts.find(({ name }) => written === name || written.startsWith(`${name}/`))
  return mount ? { path: written, ignoreCase: mount.ignoresCase } : null
}
