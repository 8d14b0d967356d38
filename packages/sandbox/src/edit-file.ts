import { type EditedFile, fail, type Outcome, succeed, type TextEdit } from '@kgent/contracts'
import type { Location } from './locate.ts'
import { notAFile, withOpenFile } from './open-file.ts'
import { planEdits } from './plan-edits.ts'
import { readWhole } from './read-bytes.ts'
import {
  binaryError,
  decodeStrictly,
  encodeText,
  encodingError,
  sniff,
  type TextEncoding,
} from './text-encoding.ts'
import { type Replacement, unifiedDiff } from './unified-diff.ts'
import { replaceContent, type WriteBounds } from './write-file.ts'

const MARK = '\uFEFF'

/** Makes all edits or none. Line ends, mark and encoding are kept; the hash is that of the very bytes that were edited. */
export function editLocated(
  location: Location,
  edits: readonly TextEdit[],
  bounds: WriteBounds,
): Outcome<EditedFile> {
  const read = readForEditing(location, bounds.limits.maxWriteBytes)
  if (!read.ok) return read
  const { bytes, text, encoding } = read.value
  const mark = text.startsWith(MARK) ? MARK : ''
  const before = text.slice(mark.length)
  const planned = planEdits(before, edits.map(withoutMark), location.path)
  if (!planned.ok) return planned
  const after = replaceAt(before, planned.value)
  if (!after.isWellFormed())
    return fail('invalid_encoding', 'An edit holds a lone surrogate, which no file can keep.')
  const edited = encodeText(mark + after, encoding)
  const written = replaceContent(location, edited, { ...bounds, previous: bytes, mustBeUnchanged: true })
  if (!written.ok) return written
  const diff = unifiedDiff(written.value.path, before, planned.value)
  return succeed({ ...written.value, replacements: planned.value.length, diff })
}

function readForEditing(
  location: Location,
  maxBytes: number,
): Outcome<{ bytes: Buffer; text: string; encoding: TextEncoding }> {
  const { path } = location
  if (location.kind === 'missing') return fail('not_found', `Nothing is at ${path}.`)
  const refusal = notAFile(location)
  if (refusal) return { ok: false, error: refusal }
  const bytes = withOpenFile(location, (descriptor) => readWhole(descriptor, maxBytes))
  if (bytes === null)
    return fail('too_large', `${path} is larger than ${maxBytes} bytes and cannot be edited.`)
  const { binary, encoding } = sniff(bytes)
  if (binary) return { ok: false, error: binaryError(path, bytes.length, bytes) }
  const text = decodeStrictly(bytes, encoding)
  return text === null
    ? { ok: false, error: encodingError(path, { bytes: bytes.length, encoding }) }
    : succeed({ bytes, text, encoding })
}

/** The mark is no part of a file's first line, though reading shows it. */
function withoutMark({ oldText, newText, replaceAll }: TextEdit): TextEdit {
  const bare = (text: string) => (text.startsWith(MARK) ? text.slice(1) : text)
  return { oldText: bare(oldText), newText: bare(newText), replaceAll: replaceAll === true }
}

function replaceAt(text: string, replacements: readonly Replacement[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, newText } of replacements) {
    parts.push(text.slice(at, start), newText)
    at = end
  }
  parts.push(text.slice(at))
  return parts.join('')
}
