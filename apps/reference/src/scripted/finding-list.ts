import type { Finding } from './findings.ts'
import type { Knowledge } from './knowledge.ts'
import { codeBlock, codeSpan, counted } from './markdown.ts'
import { maskSecrets } from './mask-secrets.ts'
import { shownLines } from './windows.ts'

const MAX_CAUSES = 2
const MAX_PLACES = 3

/** The findings of one section, as many as the form allows; the rest is counted. */
export function findingList(findings: readonly Finding[], known: Knowledge): string {
  const shown = findings.slice(0, known.form.maxFindings)
  const rest = findings.slice(shown.length)
  const items = shown.map((finding) => findingText(finding, known))
  if (rest.length > 0) {
    const files = new Set(rest.map(({ path }) => path)).size
    items.push(`- … and ${rest.length.toLocaleString('en-GB')} more, in ${counted(files, 'file')}.`)
  }
  return items.join('\n').trimEnd()
}

function findingText(finding: Finding, { calls, form }: Knowledge): string {
  const { path, line, kind, text } = finding
  const what =
    text === null ? `${kind}; its text is not repeated here` : `${kind}: ${codeSpan(maskSecrets(text))}`
  const lines = shownLines(finding, calls, form.contextLines)
  return [
    `- **${codeSpan(`${path}:${line}`)}** – ${what}${again(finding)}`,
    ...finding.causes
      .slice(0, MAX_CAUSES)
      .map((cause) => `  - with, on line ${cause.line}: ${codeSpan(maskSecrets(cause.text))}`),
    ...(lines.length > 0 ? ['', codeBlock(lines, '  '), ''] : []),
  ].join('\n')
}

/** How often and until when a log says it; where else the same words stand. */
function again({ repeats, path, time }: Finding): string {
  const last = repeats.at(-1)
  if (!last) return ''
  const files = new Set([path, ...repeats.map((place) => place.path)]).size
  const times = `; ${repeats.length + 1} times${files > 1 ? ` in ${files} files` : ''}`
  if (time !== null && last.time !== null && time !== last.time)
    return `${times}, first at ${time}, last at ${last.time} (${codeSpan(`${last.path}:${last.line}`)})`
  const places = repeats.slice(0, MAX_PLACES).map((place) => codeSpan(`${place.path}:${place.line}`))
  return `${times}, also at ${places.join(', ')}${repeats.length > MAX_PLACES ? ' …' : ''}`
}
