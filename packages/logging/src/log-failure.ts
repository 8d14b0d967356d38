import { type ErrorInfo, errorInfo } from '@kgent/contracts'

const CAUSES: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file has reached its size limit',
  EROFS: 'the disk is read-only',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EIO: 'the disk reports a fault',
  ENOENT: 'the file or its folder was deleted',
  EISDIR: 'a folder is in its place',
  ENOTDIR: 'a file is in the place of its folder',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

/** Says why a log file cannot be written, without its host path. */
export function logFailure(name: string, thrown: unknown): ErrorInfo {
  const code = errnoOf(thrown)
  const cause = CAUSES[code] ?? 'the operating system refuses'
  return errorInfo('log_unavailable', `${name} cannot be written: ${cause} (${code}).`, {
    details: { file: name, errno: code },
  })
}

/** The system's code of a failure (`ENOSPC`), or `unknown`. */
export function errnoOf(thrown: unknown): string {
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' && /^[A-Z_0-9]{1,40}$/.test(code) ? code : 'unknown'
}

/** A failure of lines that will never be written. */
export function linesLost(name: string, count: number): ErrorInfo {
  const lines = count === 1 ? '1 line' : `${count} lines`
  return errorInfo('log_unavailable', `${lines} of ${name} could not be written and are lost.`, {
    details: { file: name, lost: count },
  })
}
