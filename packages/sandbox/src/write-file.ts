import { hash } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { type ErrorInfo, errorInfo, fail, type Outcome, succeed, type WrittenFile } from '@kgent/contracts'
import { O_NOFOLLOW } from './descriptors.ts'
import type { FolderHandle } from './folder-handle.ts'
import type { SandboxLimits } from './limits.ts'
import type { Location } from './locate.ts'
import { notAFile, withOpenFile } from './open-file.ts'
import { readWhole } from './read-bytes.ts'
import { systemError } from './system-error.ts'
import { temporaryName } from './temporary-name.ts'

export interface WriteRequest {
  content: string
  expectedSha256?: string | undefined
  limits: SandboxLimits
  durability: 'os' | 'disk'
}

/** Replaces a file in one step: readers, and whoever comes after a crash, see the old content or the new. */
export function writeLocated(location: Location, request: WriteRequest): Outcome<WrittenFile> {
  const refusal = cannotWrite(location, request)
  if (refusal) return { ok: false, error: refusal }
  const previousSha256 = location.kind === 'file' ? hashOf(location, request.limits) : null
  const { expectedSha256 } = request
  if (expectedSha256 !== undefined && expectedSha256 !== previousSha256) return staleError(location)
  const bytes = Buffer.from(request.content, 'utf8')
  const failure = replaceFile(location, bytes, request.durability)
  if (failure) return { ok: false, error: failure }
  return succeed({
    path: location.path,
    bytes: bytes.length,
    sha256: hash('sha256', bytes, 'hex'),
    created: location.kind === 'missing',
    previousSha256,
  })
}

function cannotWrite(location: Location, { content, limits }: WriteRequest): ErrorInfo | null {
  const { mount, path, stats, missing } = location
  if (mount.mode === 'ro')
    return errorInfo('read_only', `${path} cannot be written: the folder ${mount.name} is read-only.`)
  if (!content.isWellFormed())
    return errorInfo('invalid_encoding', 'The content holds a lone surrogate, which no file can keep.')
  const bytes = Buffer.byteLength(content)
  if (bytes > limits.maxWriteBytes) {
    return errorInfo(
      'too_large',
      `The content has ${bytes} bytes; at most ${limits.maxWriteBytes} are written at once.`,
    )
  }
  if (missing.at(-1) === '.') return errorInfo('not_a_file', `${path} names a folder.`)
  if (stats && location.kind === 'file' && (stats.mode & 0o222) === 0) {
    return errorInfo('read_only', `${path} is write-protected (mode ${(stats.mode & 0o777).toString(8)}).`)
  }
  return location.kind === 'missing' ? null : notAFile(location)
}

function hashOf(location: Location, { maxWriteBytes }: SandboxLimits): string | null {
  const bytes = withOpenFile(location, (descriptor) => readWhole(descriptor, maxWriteBytes))
  return bytes === null ? null : hash('sha256', bytes, 'hex')
}

function staleError({ path, kind }: Location): Outcome<never> {
  const what = kind === 'missing' ? 'does not exist any more' : 'has changed since its hash was taken'
  return fail('stale_file', `${path} ${what}; nothing was written.`, {
    hint: 'Read it again and repeat the change on what it holds now.',
  })
}

/** Writes beside the target and renames. Names below the held folder only: nothing can be redirected. */
function replaceFile(location: Location, bytes: Buffer, durability: 'os' | 'disk'): ErrorInfo | null {
  const made: FolderHandle[] = []
  try {
    const folder = makeFolders(location, made)
    const name = location.name ?? location.missing.at(-1) ?? ''
    const mode = location.stats ? location.stats.mode & 0o7777 : null
    putInPlace(folder, name, { bytes, mode, durability })
    return null
  } catch (thrown) {
    return systemError(thrown, location.path)
  } finally {
    for (const handle of made) handle.close()
  }
}

function makeFolders(location: Location, made: FolderHandle[]): FolderHandle {
  let folder = location.folder
  for (const name of location.missing.slice(0, -1)) {
    try {
      mkdirSync(folder.entry(name))
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
    }
    folder = folder.open(name)
    made.push(folder)
  }
  return folder
}

function putInPlace(
  folder: FolderHandle,
  name: string,
  file: { bytes: Buffer; mode: number | null; durability: 'os' | 'disk' },
): void {
  const temporary = temporaryName()
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW
  const descriptor = openSync(folder.entry(temporary), flags, 0o666)
  try {
    try {
      writeAll(descriptor, file.bytes)
      if (file.mode !== null) fchmodSync(descriptor, file.mode)
      if (file.durability === 'disk') fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(folder.entry(temporary), folder.entry(name))
  } catch (thrown) {
    removeQuietly(folder.entry(temporary))
    throw thrown
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // it was renamed, or never made
  }
}
