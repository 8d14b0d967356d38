import { indexOfText } from './occurrences.ts'

/** Lines of a wanted text that are compared, so that texts of like lines cost no more than their length. */
const MAX_LINES = 40

/** What may have been meant by a text that does not occur, as a hint for the next try. */
export function nearText(text: string, wanted: string): string {
  const lines = text.split('\n')
  const line = findLines(lines, wanted, squeeze)
  if (line !== null) {
    const places = placeOf(line, wanted)
    return `${places} differ only in white space: read them again and copy them exactly.`
  }
  const other = findLines(lines, wanted, (part) => squeeze(part).toLowerCase())
  if (other !== null) return `${placeOf(other, wanted)} differ only in upper and lower case.`
  return indexOfText(squeeze(text), squeeze(wanted)) >= 0
    ? 'The same words are there with other white space: read the lines again and copy them exactly.'
    : 'Read the file again: its text is another.'
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Index of the first line from which on all wanted lines are there in another form. */
function findLines(lines: readonly string[], wanted: string, form: (line: string) => string): number | null {
  const forms = wanted.trim().split('\n').slice(0, MAX_LINES).map(form)
  const [first = '', ...rest] = forms
  if (forms.every((one) => one === '')) return null
  const isLast = (index: number) => index === forms.length - 1
  for (const [index, line] of lines.entries()) {
    const found = form(line)
    const begins = rest.length === 0 ? indexOfText(found, first) >= 0 : found.endsWith(first)
    if (!begins) continue
    const goesOn = rest.every((one, at) => {
      const next = form(lines[index + 1 + at] ?? '')
      return isLast(at + 1) ? next.startsWith(one) : next === one
    })
    if (goesOn) return index
  }
  return null
}

function placeOf(line: number, wanted: string): string {
  const count = wanted.trim().split('\n').length
  return count === 1 ? `Words of line ${line + 1}` : `Lines ${line + 1}–${line + count}`
}
