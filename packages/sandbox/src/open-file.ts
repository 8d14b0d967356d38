import { closeSync, constants, openSync } from 'node:fs'
import { type ErrorInfo, errorInfo } from '@kgent/contracts'
import { descriptorPath, O_NOFOLLOW, O_NONBLOCK } from './descriptors.ts'
import type { Location } from './locate.ts'
import type { OpenMount } from './mount-table.ts'

/** Why what was found cannot be opened as a file, or null. FIFOs, sockets and devices are never opened at all. */
export function notAFile({
  kind,
  path,
  stats,
  mount,
}: Pick<Location, 'kind' | 'path' | 'stats' | 'mount'>): ErrorInfo | null {
  if (kind === 'directory')
    return errorInfo('not_a_file', `${path} is a folder.`, { hint: 'Use list_files to see what is in it.' })
  if (kind === 'other')
    return errorInfo(
      'special_file',
      `${path} is no regular file (a FIFO, socket or device), so it is not opened.`,
    )
  if (stats && isShared(stats, mount)) return hardLinkError(path)
  return null
}

/** Whether a file has more names than the mount accepts: its content may belong to something outside. */
export function isShared(stats: { nlink: number }, mount: OpenMount): boolean {
  return stats.nlink > 1 && mount.hardLinks === 'refuse'
}

function hardLinkError(path: string): ErrorInfo {
  return errorInfo(
    'hard_link',
    `${path} has more than one name (a hard link), so its content may belong to something outside.`,
  )
}

/** A file that was found and looked at, by a descriptor of it or, where there is none, by its name in a held folder. */
export type OpenTarget = Pick<Location, 'path' | 'mount' | 'kind' | 'stats' | 'descriptor'> &
  Partial<Pick<Location, 'folder' | 'name'>>

/** Opens the very file that was located and looked at, for reading. The caller closes it. */
export function openTarget({ descriptor, folder, name }: OpenTarget): number {
  if (descriptor >= 0) return openSync(descriptorPath(descriptor), constants.O_RDONLY)
  return openSync(folder?.entry(name ?? '') ?? '', constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
}

/** Runs `use` with the located file open for reading. */
export function withOpenFile<T>(target: OpenTarget, use: (descriptor: number) => T): T {
  const descriptor = openTarget(target)
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
