import type { Finding } from './findings.ts'

/**
 * One finding for lines that say the same: log lines that differ in times, ids and numbers only, markers with the same
 * words, secrets of one kind in one file. The first place stands for all; the others are counted.
 */
export function mergeRepeats(findings: readonly Finding[]): Finding[] {
  const merged = new Map<string, Finding>()
  for (const finding of findings) {
    const key = `${finding.section}\0${finding.kind}\0${sameness(finding)}`
    const first = merged.get(key)
    if (first)
      first.repeats.push({ path: finding.path, line: finding.line, time: timeIn(finding.text ?? '') })
    else merged.set(key, { ...finding, repeats: [...finding.repeats] })
  }
  return [...merged.values()]
}

function sameness({ section, text, path, line }: Finding): string {
  if (section === 'secrets') return path
  if (section === 'conflicts' || text === null) return `${path}:${line}`
  return section === 'errors' || section === 'warnings' ? shapeOf(text) : text.replace(/\s+/g, ' ')
}

const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?([.,]\d+)?(Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d([.,]\d+)?\b/

/** The first time that a line names, as it is written there. */
export function timeIn(text: string): string | null {
  return TIME.exec(text)?.[0] ?? null
}

/** A log line without what changes from one time to the next. */
export function shapeOf(text: string): string {
  return text
    .replace(new RegExp(TIME, 'g'), '')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '#')
    .replace(/\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{8,}\b/gi, '#')
    .replace(/\d+/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
}
