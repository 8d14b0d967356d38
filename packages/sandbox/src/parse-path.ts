import { fail, type Outcome } from '@kgent/contracts'
import { isTemporaryName } from './temporary-name.ts'

/** A path as it was written, taken apart. Nothing of the disk has been looked at. */
export interface ParsedPath {
  /** `..` and all; empty for the sandbox's own root. */
  segments: string[]
}

const MAX_PATH_BYTES = 4_096
const MAX_SEGMENT_BYTES = 255
const MAX_SHOWN = 200

/**
 * Takes a path apart and refuses by name what a sandbox does not know: empty, NUL, `~`, drive letters, UNC, `file:` and
 * other absolute paths. Percent and backslash are characters like any other. `mountRoots` are the first segments of the
 * mounts' names; a path that begins with none of them lies below `defaultMount`.
 */
export function parsePath(
  path: string,
  known: { mountRoots: ReadonlySet<string>; defaultMount: string },
): Outcome<ParsedPath> {
  const refusal = refusedByForm(path)
  if (refusal)
    return fail('path_invalid', refusal, { hint: 'Write <folder>/<path>, e.g. workspace/notes.md.' })
  const isAbsolute = path.startsWith('/')
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  const [first] = segments
  if (isAbsolute && (first === undefined || !known.mountRoots.has(first))) {
    return fail(
      'path_outside',
      `${shown(path)} lies in no folder of the sandbox (${[...known.mountRoots].join(', ')}).`,
    )
  }
  const needsMount = !isAbsolute && (first === undefined || (first !== '..' && !known.mountRoots.has(first)))
  const full = needsMount ? [...known.defaultMount.split('/'), ...segments] : segments
  if (path.endsWith('/') || path.endsWith('/.')) full.push('.')
  return { ok: true, value: { segments: full } }
}

function refusedByForm(path: unknown): string | null {
  if (typeof path !== 'string') return 'A path is text.'
  if (path.trim() === '') return 'The path is empty.'
  if (path.includes('\0')) return 'The path holds a NUL character.'
  if (path.length > MAX_PATH_BYTES || Buffer.byteLength(path) > MAX_PATH_BYTES)
    return `The path is longer than ${MAX_PATH_BYTES} bytes.`
  if (!path.isWellFormed()) return 'The path holds a lone surrogate.'
  if (path.startsWith('~')) return '~ is not expanded; give a path relative to the sandbox.'
  if (/^[A-Za-z]:([\\/]|$|[^/])/.test(path)) return 'Drive letters are not known here.'
  if (path.startsWith('\\\\') || path.startsWith('//')) return 'Network paths are not known here.'
  if (/^file:/i.test(path)) return 'file: addresses are not known here.'
  const segments = path.split('/')
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES))
    return `A name on the path is longer than ${MAX_SEGMENT_BYTES} bytes.`
  if (
    process.platform === 'win32' &&
    /[\\:*?"<>|]|[ .](?:\/|$)/.test(path.replace(/(^|\/)\.{1,2}(?=\/|$)/g, ''))
  )
    return 'Windows gives a character of this path another meaning.'
  if (segments.some(isTemporaryName)) return 'Names of files that are being written cannot be used.'
  return null
}

/** A path for a message: bounded, on one line. */
export function shown(path: string): string {
  const line = path.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?')
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN)}…`
}
