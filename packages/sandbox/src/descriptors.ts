import { closeSync, constants, existsSync, fstatSync, openSync, readlinkSync, statSync } from 'node:fs'

// Not in fs.constants, but passed through to open(2) as it is.
const LINUX_O_PATH = 0o10000000

export const O_PATH = process.platform === 'linux' ? LINUX_O_PATH : 0
export const O_DIRECTORY = constants.O_DIRECTORY ?? 0
export const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0
export const O_NONBLOCK = constants.O_NONBLOCK ?? 0

let known: boolean | undefined

/** Whether an open folder can be walked by its descriptor (`/proc/self/fd/<n>/<name>`): what makes opening race-free. */
export function hasDescriptorPaths(): boolean {
  known ??= process.platform === 'linux' && existsSync('/proc/self/fd') && walksByDescriptor()
  return known
}

function walksByDescriptor(): boolean {
  try {
    const descriptor = openSync('/', O_PATH | O_DIRECTORY)
    try {
      return (
        readlinkSync(descriptorPath(descriptor)) === '/' &&
        statSync(descriptorPath(descriptor)).ino === fstatSync(descriptor).ino
      )
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return false
  }
}

/** A name for what is open, that no swapped folder can redirect. */
export function descriptorPath(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`
}
