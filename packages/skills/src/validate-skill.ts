import type { Permission } from '@kgent/contracts'
import {
  checkDescription,
  checkRequests,
  checkTexts,
  checkUnknownKeys,
  type FieldCheck,
  fieldCheck,
} from './check-fields.ts'
import { chooseId } from './choose-id.ts'
import { readFrontMatter } from './read-front-matter.ts'
import type { SkillFinding } from './skill-finding.ts'
import { splitFrontMatter } from './split-front-matter.ts'

/** A `SKILL.md` as data. */
export interface ParsedSkill {
  id: string
  name: string
  description: string
  /** The text after the front matter. */
  body: string
  /** Permissions that the text asks for. Asking grants nothing. */
  requests: Permission[]
}

export interface SkillValidation {
  /** Null when a finding is an error. */
  skill: ParsedSkill | null
  findings: SkillFinding[]
}

export interface ValidateSkillOptions {
  /** Name of the folder that holds the file. */
  folder: string
  /** Refuse whatever the specification's validator refuses. Default false: remark on it where the meaning is clear. */
  strict?: boolean
}

/** Checks the text of one `SKILL.md`. Reads nothing else, runs nothing, never throws. */
export function validateSkill(text: string, options: ValidateSkillOptions): SkillValidation {
  const { folder, strict = false } = options
  const split = splitFrontMatter(text)
  if ('severity' in split) return { skill: null, findings: [split] }
  const matter = readFrontMatter(split.yaml, { line: split.yamlLine, strict })
  const findings = [...split.findings, ...matter.findings]
  if (hasError(findings)) return { skill: null, findings }
  const parsed = checkAll(fieldCheck(matter.fields, { findings, strict }), folder)
  findings.sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
  return { skill: parsed && !hasError(findings) ? { ...parsed, body: split.body } : null, findings }
}

function checkAll(check: FieldCheck, folder: string): Omit<ParsedSkill, 'body'> | null {
  checkUnknownKeys(check)
  const id = chooseId(check, folder)
  const description = checkDescription(check)
  checkTexts(check)
  const requests = checkRequests(check)
  return id === undefined || description === undefined ? null : { id, name: id, description, requests }
}

function hasError(findings: readonly SkillFinding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}
