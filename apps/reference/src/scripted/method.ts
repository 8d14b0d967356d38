import type { Knowledge } from './knowledge.ts'
import { codeSpan, counted, table } from './markdown.ts'

const MAX_PATTERN_CHARS = 72

/** How the report came about: by whom, after what form, with which searches. */
export function methodText(known: Knowledge): string {
  const { calls, form, searches } = known
  const refused = calls.filter(({ failure }) => failure !== null).length
  const words = [
    `Made by kgent's scripted planner: rules, not a language model. Its form is that of ${form.source}.`,
    `Every finding comes from a tool result of this run (${counted(calls.length, 'call')}, ${refused} refused or failed).`,
    ...memoryWords(known),
  ].join(' ')
  if (searches.length === 0) return words
  const rows = searches.map(({ search, matchCount, filesScanned, isCut, failure }) => [
    search.kind,
    codeSpan(search.pattern.slice(0, MAX_PATTERN_CHARS)),
    String(filesScanned),
    failure === null ? `${matchCount}${isCut ? ' or more' : ''}` : 'failed',
  ])
  return `${words}\n\n${table(['search', 'pattern', 'files', 'matches'], rows)}`
}

function memoryWords({ calls }: Knowledge): string[] {
  const proposed = calls.findLast(({ tool }) => tool === 'write_memory')
  if (!proposed) return []
  return [`Proposed to be remembered: ${codeSpan(String(proposed.input.content))}. ${proposed.summary}.`]
}
