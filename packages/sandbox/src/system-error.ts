import { type ErrorCode, type ErrorInfo, errorInfo } from '@kgent/contracts'

const CODES: Record<string, [ErrorCode, string]> = {
  ENOENT: ['not_found', 'Nothing is at'],
  ENOTDIR: ['not_a_directory', 'A file stands where a folder is needed on'],
  EISDIR: ['not_a_file', 'A folder is at'],
  ELOOP: ['link_loop', 'Links lead in a circle on'],
  ENAMETOOLONG: ['path_invalid', 'A name is too long on'],
  EACCES: ['access_denied', 'The operating system refuses access to'],
  EPERM: ['access_denied', 'The operating system refuses access to'],
  EROFS: ['read_only', 'The disk is read-only under'],
  ENOSPC: ['disk_full', 'There is no room on the disk for'],
  EDQUOT: ['disk_full', 'The quota of the disk is used up for'],
  EFBIG: ['too_large', 'The file system takes no file of this size at'],
  EMFILE: ['io_error', 'Too many files are open to open'],
}

/** What the operating system reported, in words about a sandbox path. The host path in its own message is dropped. */
export function systemError(thrown: unknown, path: string): ErrorInfo {
  const errno = (thrown as NodeJS.ErrnoException | null)?.code ?? 'unknown'
  const [code, words] = CODES[errno] ?? ['io_error', `The operating system reported ${errno} for`]
  return errorInfo(code, `${words} ${path}.`)
}
