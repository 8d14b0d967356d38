import { closeSync, constants, fstatSync, openSync, readlinkSync, type Stats } from 'node:fs'
import type { AccessCheck, FileWindow, Outcome, ReadOptions } from '@kgent/contracts'
import { descriptorPath, hasDescriptorPaths, O_NOFOLLOW, O_PATH } from './descriptors.ts'
import type { SandboxLimits } from './limits.ts'
import type { OpenMount } from './mount-table.ts'
import { notAFile } from './open-file.ts'
import { readWindow } from './read-file.ts'
import { systemError } from './system-error.ts'

export interface DirectRead {
  options: ReadOptions
  limits: SandboxLimits
  check: AccessCheck | null
}

/**
 * Reads a file in the usual case, in which no link is on the way: the whole path is opened at once (touching nothing), and
 * the kernel is asked where that led. Null for anything but a regular file of that very name in the mount: the path must
 * be walked then.
 */
export function readDirectly(
  mounts: readonly OpenMount[],
  segments: readonly string[],
  { options, limits, check }: DirectRead,
): Outcome<FileWindow> | null {
  const file = hasDescriptorPaths() ? openDirectly(mounts, segments) : null
  if (!file) return null
  let descriptor = -1
  try {
    const refusal = check?.('filesystemRead', file.path) ?? notAFile(file)
    if (refusal) return { ok: false, error: refusal }
    descriptor = openSync(descriptorPath(file.descriptor), constants.O_RDONLY)
    return readWindow(descriptor, file.path, { options, limits, size: file.stats.size })
  } catch (thrown) {
    return { ok: false, error: systemError(thrown, file.path) }
  } finally {
    if (descriptor >= 0) closeSync(descriptor)
    closeSync(file.descriptor)
  }
}

interface DirectFile {
  mount: OpenMount
  path: string
  kind: 'file'
  stats: Stats
  descriptor: number
}

function openDirectly(mounts: readonly OpenMount[], segments: readonly string[]): DirectFile | null {
  if (segments.includes('.') || segments.includes('..')) return null
  const path = segments.join('/')
  const mount = mounts.find(({ name }) => path.startsWith(`${name}/`))
  if (!mount) return null
  const below = path.slice(mount.name.length)
  let descriptor: number
  try {
    descriptor = openSync(`${descriptorPath(mount.root)}${below}`, O_PATH | O_NOFOLLOW)
  } catch {
    return null
  }
  const stats = fstatSync(descriptor)
  if (stats.isFile() && readlinkSync(descriptorPath(descriptor)) === `${mount.dir}${below}`)
    return { mount, path, kind: 'file', stats, descriptor }
  closeSync(descriptor)
  return null
}
