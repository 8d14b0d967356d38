import { hash } from 'node:crypto'
import { type ErrorInfo, errorInfo, fail, type Outcome, succeed, type WrittenFile } from '@kgent/contracts'
import type { SandboxLimits } from './limits.ts'
import type { Location } from './locate.ts'
import { notAFile, withOpenFile } from './open-file.ts'
import { type Durability, putFile } from './put-file.ts'
import { readWhole } from './read-bytes.ts'
import { systemError } from './system-error.ts'
import { encodeText, sniff } from './text-encoding.ts'

export interface WriteBounds {
  expectedSha256?: string | undefined
  limits: SandboxLimits
  durability: Durability
}

const MARK = '\uFEFF'

/** Replaces a file in one step: readers, and whoever comes after a crash, see the old content or the new. */
export function writeLocated(
  location: Location,
  content: string,
  write: WriteBounds & { mayRead: boolean },
): Outcome<WrittenFile> {
  if (typeof content !== 'string') return fail('invalid_input', 'content must be text.')
  if (!content.isWellFormed())
    return fail('invalid_encoding', 'The content holds a lone surrogate, which no file can keep.')
  const refusal = cannotWrite(location, Buffer.byteLength(content), write)
  if (refusal) return { ok: false, error: refusal }
  const previous = location.kind === 'file' && write.mayRead ? readPrevious(location, write.limits) : null
  return replaceContent(location, encodeLike(previous, content), {
    ...write,
    previous,
    mustBeUnchanged: write.expectedSha256 !== undefined,
  })
}

/** Text that begins with the mark of the UTF-16 file that it replaces is what was read from it, and is written back as that. */
function encodeLike(previous: Buffer | null, content: string): Buffer {
  const { encoding } = previous && content.startsWith(MARK) ? sniff(previous) : { encoding: 'utf-8' as const }
  return encodeText(content, encoding)
}

function readPrevious(location: Location, { maxWriteBytes }: SandboxLimits): Buffer | null {
  return withOpenFile(location, (descriptor) => readWhole(descriptor, maxWriteBytes))
}

interface Replacing extends WriteBounds {
  /** What the file held; null where it is new, or that is not known. */
  previous: Buffer | null
  /** Whether the bytes were made from what the file held. */
  mustBeUnchanged: boolean
}

/** Puts bytes in the place of a file's, whose content is known where it can be. */
export function replaceContent(
  location: Location,
  bytes: Buffer,
  { expectedSha256, previous, limits, durability, mustBeUnchanged }: Replacing,
): Outcome<WrittenFile> {
  const refusal = cannotWrite(location, bytes.length, { limits })
  if (refusal) return { ok: false, error: refusal }
  const previousSha256 = previous && hash('sha256', previous, 'hex')
  if (expectedSha256 !== undefined && expectedSha256 !== previousSha256)
    return { ok: false, error: staleError(location, previous !== null) }
  try {
    if (!putFile(location, bytes, { durability, mustBeUnchanged }))
      return fail('file_changed', `${location.path} was changed at the same time; nothing was written.`)
  } catch (thrown) {
    return { ok: false, error: systemError(thrown, location.path) }
  }
  return succeed({
    path: location.path,
    bytes: bytes.length,
    sha256: hash('sha256', bytes, 'hex'),
    created: location.kind === 'missing',
    previousSha256,
  })
}

function cannotWrite(
  location: Location,
  bytes: number,
  { limits }: Pick<WriteBounds, 'limits'>,
): ErrorInfo | null {
  const { mount, path, stats, kind } = location
  if (mount.mode === 'ro')
    return errorInfo('read_only', `${path} cannot be written: the folder ${mount.name} is read-only.`)
  if (bytes > limits.maxWriteBytes)
    return errorInfo(
      'too_large',
      `The content has ${bytes} bytes; at most ${limits.maxWriteBytes} are written at once.`,
    )
  if (kind === 'missing')
    return location.isFolderName ? errorInfo('not_a_file', `${path}/ is the name of a folder.`) : null
  if (stats && kind === 'file' && (stats.mode & 0o222) === 0)
    return errorInfo('read_only', `${path} is write-protected (mode ${(stats.mode & 0o777).toString(8)}).`)
  return notAFile(location)
}

function staleError({ path, kind }: Location, isKnown: boolean): ErrorInfo {
  if (kind === 'file' && !isKnown)
    return errorInfo('stale_file', `${path} is too large to be compared with a hash; nothing was written.`)
  const what = kind === 'missing' ? 'does not exist any more' : 'has changed since its hash was taken'
  return errorInfo('stale_file', `${path} ${what}; nothing was written.`, {
    hint: 'Read it again and repeat the change on what it holds now.',
  })
}
