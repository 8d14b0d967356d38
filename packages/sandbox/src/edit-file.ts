import { type EditedFile, fail, type Outcome, succeed, type TextEdit } from '@kgent/contracts'
import { createTwoFilesPatch } from 'diff'
import type { Location } from './locate.ts'
import { notAFile, withOpenFile } from './open-file.ts'
import { readWhole } from './read-bytes.ts'
import { binaryError, decodeStrictly, encodingError, sniff } from './text-encoding.ts'
import { type WriteRequest, writeLocated } from './write-file.ts'

/** Makes all edits or none. Line ends and mark are kept; the hash is that of the content that was edited. */
export function editLocated(
  location: Location,
  edits: readonly TextEdit[],
  request: Omit<WriteRequest, 'content'>,
): Outcome<EditedFile> {
  const before = readForEditing(location, request.limits.maxWriteBytes)
  if (!before.ok) return before
  const edited = applyEdits(before.value, edits, location.path)
  if (!edited.ok) return edited
  const written = writeLocated(location, { ...request, content: edited.value.text })
  if (!written.ok) return written
  const { path } = written.value
  const diff = createTwoFilesPatch(path, path, before.value, edited.value.text, undefined, undefined, {
    context: 3,
  })
  return succeed({ ...written.value, replacements: edited.value.replacements, diff })
}

function readForEditing(location: Location, maxBytes: number): Outcome<string> {
  const { path } = location
  if (location.kind === 'missing') return fail('not_found', `Nothing is at ${path}.`)
  const refusal = notAFile(location)
  if (refusal) return { ok: false, error: refusal }
  const bytes = withOpenFile(location, (descriptor) => readWhole(descriptor, maxBytes))
  if (bytes === null)
    return fail('too_large', `${path} is larger than ${maxBytes} bytes and cannot be edited.`)
  const { binary, encoding } = sniff(bytes)
  if (binary) return { ok: false, error: binaryError(path, bytes.length, bytes) }
  if (encoding !== 'utf-8')
    return fail('invalid_encoding', `${path} is ${encoding}; only UTF-8 files are edited.`)
  const text = decodeStrictly(bytes, encoding)
  return text === null ? { ok: false, error: encodingError(path, bytes.length) } : succeed(text)
}

function applyEdits(
  text: string,
  edits: readonly TextEdit[],
  path: string,
): Outcome<{ text: string; replacements: number }> {
  const usesCrlf = text.includes('\r\n') && !/(^|[^\r])\n/.test(text)
  let current = text
  let replacements = 0
  for (const [index, edit] of edits.entries()) {
    const oldText = usesCrlf ? toCrlf(edit.oldText) : edit.oldText
    const newText = usesCrlf ? toCrlf(edit.newText) : edit.newText
    if (oldText === '') return fail('invalid_input', `edits[${index}].oldText is empty.`)
    const count = current.split(oldText).length - 1
    if (count === 0) return noMatch(current, oldText, { index, path })
    if (count > 1 && edit.replaceAll !== true) {
      return fail(
        'edit_ambiguous',
        `edits[${index}].oldText occurs ${count} times in ${path}; nothing was changed.`,
        {
          hint: 'Give more of the text around it, or set replaceAll.',
          details: { matches: count },
        },
      )
    }
    current = current.split(oldText).join(newText)
    replacements += count
  }
  return succeed({ text: current, replacements })
}

function noMatch(text: string, oldText: string, place: { index: number; path: string }): Outcome<never> {
  const squeeze = (value: string) => value.replace(/\s+/g, ' ').trim()
  const isNear = squeeze(text).includes(squeeze(oldText))
  return fail(
    'edit_no_match',
    `edits[${place.index}].oldText does not occur in ${place.path} (0 matches); nothing was changed.`,
    {
      hint: isNear
        ? 'The same words are there with other white space: read the lines again and copy them exactly.'
        : 'Read the file again: its text is another.',
      details: { matches: 0 },
    },
  )
}

function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n')
}
