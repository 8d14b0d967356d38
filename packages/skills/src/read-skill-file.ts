import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { decodeText } from './decode-text.ts'

export const MAX_SKILL_FILE_BYTES = 1024 * 1024

/** The decoded text of a skill's file with the hash of its bytes, or why it cannot be had. */
export type SkillFile = { text: string; sha256: string } | { reason: string }

// Not blocking: a FIFO in the file's place would otherwise stop the process.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Reads one regular file of bounded size that lies inside `root`, links resolved. Never rejects. */
export async function readSkillFile(file: string, root: string): Promise<SkillFile> {
  let handle: FileHandle | undefined
  try {
    handle = await open(file, FLAGS)
    return (await faultOf(handle, { file, root })) ?? (await readOpened(handle))
  } catch (thrown) {
    return {
      reason: `The file cannot be read (${(thrown as NodeJS.ErrnoException).code ?? 'unknown fault'}).`,
    }
  } finally {
    await handle?.close().catch(() => {})
  }
}

/** Checks what was opened, not only what the path led to before. */
async function faultOf(
  handle: FileHandle,
  at: { file: string; root: string },
): Promise<{ reason: string } | null> {
  const opened = await handle.stat()
  if (!opened.isFile()) return { reason: 'This is not a regular file.' }
  const real = await realpath(at.file)
  if (!real.startsWith(at.root + sep))
    return { reason: 'The file is a link that leads out of the skills folder.' }
  const named = await stat(real)
  if (named.ino !== opened.ino || named.dev !== opened.dev)
    return { reason: 'The file was replaced while it was read.' }
  return opened.size > MAX_SKILL_FILE_BYTES ? tooLarge() : null
}

async function readOpened(handle: FileHandle): Promise<SkillFile> {
  const buffer = Buffer.alloc(MAX_SKILL_FILE_BYTES + 1)
  let length = 0
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
    if (length > MAX_SKILL_FILE_BYTES) return tooLarge()
  }
  const bytes = buffer.subarray(0, length)
  const decoded = decodeText(bytes)
  return 'reason' in decoded ? decoded : { text: decoded.text, sha256: hash('sha256', bytes, 'hex') }
}

function tooLarge(): { reason: string } {
  return {
    reason: `The file is larger than ${MAX_SKILL_FILE_BYTES} bytes; move details into files beside it.`,
  }
}

function _isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
