import type { Permission } from '@kgent/contracts'
import type { YamlField, YamlValue } from './parse-yaml.ts'
import { type ReadRequests, requestsOfPermissions, requestsOfTools } from './permission-requests.ts'
import { errorAt, remarkAt, type SkillFinding } from './skill-finding.ts'

/** Bounds of the agentskills specification, in characters (code points). */
export const MAX_NAME_CHARS = 64
export const MAX_DESCRIPTION_CHARS = 1024
export const MAX_COMPATIBILITY_CHARS = 500

/** What all checks of one file share: its fields, and where findings go. */
export interface FieldCheck {
  readonly fields: ReadonlyMap<string, YamlField>
  /** An error, always. */
  refuse(line: number | null, message: string): void
  /** An error in strict mode, a remark otherwise: what the specification's validator would refuse. */
  object(line: number | null, message: string): void
  remark(line: number | null, message: string): void
}

/** Collects findings for one file. */
export function fieldCheck(
  fields: ReadonlyMap<string, YamlField>,
  to: { findings: SkillFinding[]; strict: boolean },
): FieldCheck {
  const { findings, strict } = to
  return {
    fields,
    refuse: (line, message) => findings.push(errorAt(line, message)),
    object: (line, message) => findings.push(strict ? errorAt(line, message) : remarkAt(line, message)),
    remark: (line, message) => findings.push(remarkAt(line, message)),
  }
}

const KNOWN = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

/** Keys that the specification does not know are named: a misspelt one would otherwise do nothing in silence. */
export function checkUnknownKeys({ fields, object, remark }: FieldCheck): void {
  for (const { key, line, comment } of fields.values()) {
    if (!KNOWN.includes(key)) {
      object(line, `The key ${shown(key)} is not part of the specification; put it under metadata.`)
    } else if (comment !== null) {
      remark(
        line,
        `In ${key} the text after " #" is a comment and is lost; put the value in quotes to keep it.`,
      )
    }
  }
}

/** The description as written, without blanks around it; undefined when there is no usable one. */
export function checkDescription(check: FieldCheck): string | undefined {
  const field = check.fields.get('description')
  const text = typeof field?.value === 'string' ? field.value.trim() : undefined
  if (!field)
    check.refuse(null, 'The description is missing; without it nobody can tell when to use the skill.')
  else if (text === undefined)
    check.refuse(field.line, `The description is ${kind(field.value)}; it must be text.`)
  else if (text === '') check.refuse(field.line, 'The description is empty.')
  else if ([...text].length > MAX_DESCRIPTION_CHARS) {
    check.object(
      field.line,
      `The description is longer than ${MAX_DESCRIPTION_CHARS} characters; lists show its beginning.`,
    )
  }
  return text === '' ? undefined : text
}

/** `license` and `compatibility`: text that nothing here acts on. */
export function checkTexts({ fields, object }: FieldCheck): void {
  for (const key of ['license', 'compatibility']) {
    const field = fields.get(key)
    if (!field) continue
    if (typeof field.value !== 'string')
      object(field.line, `${key} is ${kind(field.value)}; it should be text.`)
    else if (key === 'compatibility' && [...field.value].length > MAX_COMPATIBILITY_CHARS) {
      object(field.line, `compatibility is longer than ${MAX_COMPATIBILITY_CHARS} characters.`)
    }
  }
}

/** Every permission that the file asks for, from `allowed-tools` and `metadata.kgent-permissions`. */
export function checkRequests(check: FieldCheck): Permission[] {
  const tools = check.fields.get('allowed-tools')
  const metadata = check.fields.get('metadata')
  const asked = [
    tools && requested(check, { field: tools, text: toolsText(check, tools), read: requestsOfTools }),
    metadata &&
      requested(check, { field: metadata, text: wishText(check, metadata), read: requestsOfPermissions }),
  ]
  return [...new Set(asked.flatMap((permissions) => permissions ?? []))].sort()
}

function requested(
  { remark }: FieldCheck,
  source: { field: YamlField; text: string; read: (text: string) => ReadRequests },
): Permission[] {
  const { permissions, unknown } = source.read(source.text)
  if (unknown.length > 0) {
    const words = unknown.slice(0, 5).map(shown).join(', ')
    remark(
      source.field.line,
      `${source.field.key} asks for ${words}, which no permission stands for; it has no effect.`,
    )
  }
  return permissions
}

function toolsText({ object }: FieldCheck, { value, line }: YamlField): string {
  if (typeof value === 'string') return value
  object(
    line,
    `allowed-tools is ${kind(value)}; the specification wants one text with blanks between the tools.`,
  )
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').join(' ') : ''
}

function wishText({ object }: FieldCheck, { value, line }: YamlField): string {
  if (!(value instanceof Map)) {
    if (value !== '') object(line, `metadata is ${kind(value)}; it must be a map of texts.`)
    return ''
  }
  const odd = [...value].filter(([, item]) => typeof item !== 'string').map(([key]) => shown(key))
  if (odd.length > 0)
    object(line, `metadata should map text to text; these do not: ${odd.slice(0, 5).join(', ')}.`)
  const wish = value.get('kgent-permissions')
  if (Array.isArray(wish)) return wish.filter((item) => typeof item === 'string').join(' ')
  return typeof wish === 'string' ? wish : ''
}

function kind(value: YamlValue): string {
  if (typeof value === 'string') return 'text'
  return Array.isArray(value) ? 'a list' : 'a map'
}

/** A word of the file as it may stand in a message: short, and without control characters. */
export function shown(word: string): string {
  return JSON.stringify(word.length > 60 ? `${word.slice(0, 59)}…` : word)
}
