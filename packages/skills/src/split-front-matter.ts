import { errorAt, remarkAt, type SkillFinding } from './skill-finding.ts'

/** Enough for every field of the specification at its largest, and small enough to parse in no time. */
export const MAX_FRONT_MATTER_CHARS = 16 * 1024

/** The two halves of a `SKILL.md`. */
export interface SplitSkill {
  yaml: string
  /** Line of the file on which `yaml` begins. */
  yamlLine: number
  body: string
  findings: SkillFinding[]
}

/**
 * Splits a `SKILL.md` at its fences: lines of exactly three hyphens, and blanks after them. A mark is taken off; line ends
 * become `\n`.
 */
export function splitFrontMatter(text: string): SplitSkill | SkillFinding {
  if (text.trim() === '') return errorAt(null, 'The file is empty.')
  const lines = text.replace(/^\ufeff/, '').split(/\r\n?|\n/)
  const open = lines.findIndex((line) => line.trim() !== '')
  const opening = (lines[open] ?? '').trimEnd()
  if (opening !== '---') return errorAt(open + 1, openingFault(opening))
  const close = lines.findIndex((line, index) => index > open && line.trimEnd() === '---')
  if (close < 0)
    return errorAt(open + 1, 'The front matter is never closed: a line of three hyphens is missing.')
  const yaml = lines.slice(open + 1, close).join('\n')
  if (yaml.length > MAX_FRONT_MATTER_CHARS) {
    return errorAt(open + 1, `The front matter is longer than ${MAX_FRONT_MATTER_CHARS} characters.`)
  }
  const findings = open === 0 ? [] : [remarkAt(1, 'Blank lines stand before the front matter.')]
  return { yaml, yamlLine: open + 2, body: bodyAfter(lines, close), findings }
}

function openingFault(opening: string): string {
  if (/^---\s*\w/.test(opening)) {
    return 'The opening fence names a language; only a plain --- is read, and nothing is ever run.'
  }
  return 'There is no front matter: the file must begin with a line of three hyphens.'
}

function bodyAfter(lines: readonly string[], close: number): string {
  return lines
    .slice(close + 1)
    .join('\n')
    .replace(/^\n+/, '')
}
