import { fail, type Outcome, succeed, type TextEdit } from '@kgent/contracts'
import { nearText } from './near-text.ts'
import { indexOfText, occurrences } from './occurrences.ts'
import { lineEndOf } from './text-window.ts'
import type { Replacement } from './unified-diff.ts'

const MAX_REPLACEMENTS = 100_000
const MAX_SHOWN_LINES = 10

/**
 * The places that edits replace in a text, in order. Every edit is matched against the text as it is, not as an earlier
 * edit would leave it. Line ends of the edits become those of the text.
 */
export function planEdits(text: string, edits: readonly TextEdit[], path: string): Outcome<Replacement[]> {
  if (edits.length === 0) return fail('invalid_input', 'edits is empty: give at least one.')
  const found: { edit: number; replacement: Replacement }[] = []
  const eol = lineEndOf(text)
  for (const [index, edit] of edits.entries()) {
    const places = placesOf(text, adapt(edit, text, eol), { index, path })
    if (!places.ok) return places
    for (const replacement of places.value) found.push({ edit: index, replacement })
    if (found.length > MAX_REPLACEMENTS)
      return fail('too_large', `More than ${MAX_REPLACEMENTS} places would be replaced in ${path} at once.`)
  }
  found.sort((a, b) => a.replacement.start - b.replacement.start)
  for (const [index, { edit, replacement }] of found.entries()) {
    const before = found[index - 1]
    if (before && before.replacement.end > replacement.start) return overlap([before.edit, edit], path)
  }
  return succeed(found.map(({ replacement }) => replacement))
}

/** The edit with the text's own line ends; in a mixed text as it is given, unless only the other form occurs. */
function adapt(edit: TextEdit, text: string, eol: ReturnType<typeof lineEndOf>): TextEdit {
  const crlf = withEnds(edit, '\r\n')
  if (eol === 'crlf') return crlf
  if (eol === 'cr') return withEnds(edit, '\r')
  const occurs = (part: string) => indexOfText(text, part) >= 0
  return eol === 'mixed' && !occurs(edit.oldText) && occurs(crlf.oldText) ? crlf : edit
}

function withEnds({ oldText, newText, replaceAll }: TextEdit, end: string): TextEdit {
  const adapted = (part: string) => part.replace(/\r\n|\n/g, end)
  return { oldText: adapted(oldText), newText: adapted(newText), replaceAll: replaceAll === true }
}

interface EditPlace {
  index: number
  path: string
}

function placesOf(text: string, edit: TextEdit, place: EditPlace): Outcome<Replacement[]> {
  const { oldText, newText, replaceAll } = edit
  const name = `edits[${place.index}].oldText`
  if (oldText === '') return fail('invalid_input', `${name} is empty.`)
  const starts: number[] = []
  // Occurrences that overlap count when one is wanted; all that are replaced stand apart.
  for (const at of occurrences(text, oldText, { overlapping: replaceAll !== true })) {
    starts.push(at)
    if (starts.length > MAX_REPLACEMENTS) break
  }
  if (starts.length === 0) return noMatch(text, edit, place)
  if (starts.length > 1 && replaceAll !== true) return ambiguous(text, starts, place)
  return succeed(starts.map((start) => ({ start, end: start + oldText.length, newText })))
}

function ambiguous(text: string, starts: readonly number[], { index, path }: EditPlace): Outcome<never> {
  const count = starts.length > MAX_REPLACEMENTS ? `more than ${MAX_REPLACEMENTS}` : starts.length
  const lines = starts.slice(0, MAX_SHOWN_LINES).map((start) => lineAt(text, start))
  const message = `edits[${index}].oldText occurs ${count} times in ${path}; nothing was changed.`
  return fail('edit_ambiguous', message, {
    hint: `Give more of the text around it, or set replaceAll. It begins in line ${lines.join(', ')}${starts.length > lines.length ? ', …' : ''}.`,
    details: { matches: starts.length, lines },
  })
}

function noMatch(text: string, { oldText }: TextEdit, { index, path }: EditPlace): Outcome<never> {
  return fail(
    'edit_no_match',
    `edits[${index}].oldText does not occur in ${path} (0 matches); nothing was changed.`,
    { hint: nearText(text, oldText), details: { matches: 0 } },
  )
}

function overlap([one, other]: [number, number], path: string): Outcome<never> {
  return fail(
    'edit_ambiguous',
    `edits[${Math.min(one, other)}] and edits[${Math.max(one, other)}] overlap in ${path}; nothing was changed.`,
    { hint: 'Every edit is matched against the file as it is. Say both changes as one edit.' },
  )
}

function lineAt(text: string, place: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
