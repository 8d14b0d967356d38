import { closeSync, fstatSync, openSync, readlinkSync } from 'node:fs'
import { descriptorPath, hasDescriptorPaths, O_NOFOLLOW, O_PATH } from './descriptors.ts'
import type { OpenMount } from './mount-table.ts'
import type { OpenTarget } from './open-file.ts'

/**
 * Opens a file in the usual case, in which no link is on the way: the whole path is opened at once (touching nothing), and
 * the kernel is asked where that led. Null for anything but a regular file of that very name in the mount: the path must
 * be walked then. The caller closes the descriptor.
 */
export function openDirectly(mounts: readonly OpenMount[], segments: readonly string[]): OpenTarget | null {
  if (!hasDescriptorPaths()) return null
  const path = segments.join('/')
  const mount = mounts.find(({ name }) => path.startsWith(name) && path[name.length] === '/')
  if (!mount || mount.nested.length > 0 || mount.hasAliases) return null
  const below = path.slice(mount.name.length)
  if (below.includes('/.') && (segments.includes('.') || segments.includes('..'))) return null
  const descriptor = openQuietly(`${descriptorPath(mount.root)}${below}`)
  if (descriptor < 0) return null
  const stats = fstatSync(descriptor)
  if (stats.isFile() && readlinkSync(descriptorPath(descriptor)) === `${mount.dir}${below}`)
    return { mount, path, kind: 'file', stats, descriptor }
  closeSync(descriptor)
  return null
}

function openQuietly(path: string): number {
  try {
    return openSync(path, O_PATH | O_NOFOLLOW)
  } catch {
    return -1
  }
}
