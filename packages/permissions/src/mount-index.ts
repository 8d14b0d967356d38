import type { SandboxMountInfo } from '@kgent/contracts'

/** The mounts by their first segment, so that one look finds the few that a path could be in. */
export interface MountIndex {
  readonly mounts: readonly SandboxMountInfo[]
  readonly byFirstName: ReadonlyMap<string, readonly SandboxMountInfo[]>
}

export function indexMounts(mounts: readonly SandboxMountInfo[]): MountIndex {
  const byFirstName = new Map<string, SandboxMountInfo[]>()
  for (const mount of mounts) {
    const first = firstName(mount.name)
    byFirstName.set(first, [...(byFirstName.get(first) ?? []), mount])
  }
  return { mounts, byFirstName }
}

/** The mount that holds a path; the innermost where one lies in another. */
export function mountOf({ byFirstName }: MountIndex, path: string): SandboxMountInfo | null {
  let found: SandboxMountInfo | null = null
  for (const mount of byFirstName.get(firstName(path)) ?? []) {
    if (isAtOrBelow(path, mount.name) && (found === null || mount.name.length > found.name.length))
      found = mount
  }
  return found
}

/** Whether a path is a folder that exists only because mounts lie below it (`skills` of `skills/tidy`). */
export function isAboveMount({ byFirstName }: MountIndex, path: string): boolean {
  return (byFirstName.get(firstName(path)) ?? []).some(({ name }) => name.startsWith(`${path}/`))
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/')
}

function firstName(path: string): string {
  const slash = path.indexOf('/')
  return slash < 0 ? path : path.slice(0, slash)
}
