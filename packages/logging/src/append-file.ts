import { closeSync, constants, fdatasync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { KgentError } from '@kgent/contracts'
import { type FileTail, readTail } from './file-tail.ts'
import { errnoOf } from './log-failure.ts'

/** A file that is only ever added to. Methods throw what the operating system reports. */
export interface AppendFile {
  readonly tail: FileTail
  /** Writes as much as the system takes and returns what is left over, null when nothing is. `total` is the length in bytes. */
  write(bytes: string | Buffer, total: number): WriteEnd
  /** Whether the file still has a name; one that was deleted takes bytes that nobody will read. */
  hasName(): boolean
  sync(): Promise<void>
  close(): void
}

interface WriteEnd {
  rest: Buffer | null
  thrown: unknown
}

// Not blocking: a FIFO in the file's place would otherwise stop the process.
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0)

/** Opens or creates a file, with its folders, for appending. **Throws:** `KgentError` (`run_unusable`). */
export function openAppendFile(file: string): AppendFile {
  const descriptor = openForAppending(file)
  return {
    tail: readTail(descriptor, fstatSync(descriptor).size),
    write: (bytes, total) => writeAll(descriptor, { bytes, total }),
    hasName: () => hasName(descriptor),
    sync: () =>
      new Promise((resolve, reject) => {
        fdatasync(descriptor, (error) => (error ? reject(error) : resolve()))
      }),
    close: () => closeSync(descriptor),
  }
}

function openForAppending(file: string): number {
  try {
    mkdirSync(dirname(file), { recursive: true })
    const descriptor = openSync(file, FLAGS, 0o666)
    if (fstatSync(descriptor).isFile()) return descriptor
    closeSync(descriptor)
  } catch (thrown) {
    throw new KgentError(
      'run_unusable',
      `The log file ${basename(file)} cannot be opened (${errnoOf(thrown)}). Give a folder that this process may write to.`,
    )
  }
  throw new KgentError(
    'run_unusable',
    `The log file ${basename(file)} is not a regular file. Remove what is in its place.`,
  )
}

function hasName(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).nlink > 0
  } catch {
    return false
  }
}

function writeAll(descriptor: number, { bytes, total }: { bytes: string | Buffer; total: number }): WriteEnd {
  let written = 0
  let thrown: unknown = null
  try {
    written = typeof bytes === 'string' ? writeSync(descriptor, bytes) : writeSync(descriptor, bytes)
    while (written < total) {
      const count = writeSync(descriptor, asBuffer(bytes), written)
      if (count === 0) break
      written += count
    }
  } catch (reason) {
    thrown = reason
  }
  return { rest: written < total ? asBuffer(bytes).subarray(written) : null, thrown }
}

function asBuffer(bytes: string | Buffer): Buffer {
  return typeof bytes === 'string' ? Buffer.from(bytes) : bytes
}
