import type { JsonObject } from '@kgent/contracts'
import type { DoneCall } from './conversation.ts'
import type { Finding } from './findings.ts'
import { maskSecrets } from './mask-secrets.ts'

/** How many windows are read for one report. */
const MAX_WINDOWS = 14
/** How many of them may be about one section, so that a noisy log leaves room for the code. */
const MAX_A_SECTION = 5
const MAX_LINE_CHARS = 200

/** The `read_file` inputs for what is worth seeing in its place: the most pressing findings, one window each. */
export function windowsToRead(findings: readonly Finding[], contextLines: number): JsonObject[] {
  const chosen: Finding[] = []
  for (const finding of findings) {
    if (chosen.length >= MAX_WINDOWS || contextLines < 1) break
    const ofSection = chosen.filter(({ section }) => section === finding.section).length
    const isNear = chosen.some(
      ({ path, line }) => path === finding.path && Math.abs(line - finding.line) < contextLines,
    )
    if (finding.text !== null && ofSection < MAX_A_SECTION && !isNear) chosen.push(finding)
  }
  return chosen.map((finding) => windowOf(finding, contextLines))
}

/** A third of the lines above, the rest below: what follows an error says more than what came before. */
function windowOf({ path, line }: Finding, contextLines: number): JsonObject {
  return { path, offset: Math.max(1, line - Math.floor(contextLines / 3)), limit: contextLines }
}

/** The lines around a finding, numbered and with a mark, if its window was read. */
export function shownLines(finding: Finding, calls: readonly DoneCall[], contextLines: number): string[] {
  const { path, offset, limit } = windowOf(finding, contextLines)
  const read = calls.find(
    ({ tool, input, failure }) =>
      tool === 'read_file' &&
      failure === null &&
      input.path === path &&
      input.offset === offset &&
      input.limit === limit,
  )
  if (typeof read?.data?.text !== 'string') return []
  const lines = read.data.text.replace(/\r\n?|\n$/g, (end) => (end === '\n' ? '' : '\n')).split('\n')
  if (lines.length < 2) return []
  const first = Number(read.data.startLine)
  const width = String(first + lines.length - 1).length
  return lines.map((text, index) => {
    const number = first + index
    const shown = maskSecrets(text).slice(0, MAX_LINE_CHARS)
    return `${number === finding.line ? '>' : ' '} ${String(number).padStart(width)}  ${shown}`
  })
}
