import { BASE_PERMISSIONS } from '@kgent/contracts'
import { plainName } from './nearest-name.ts'
import { parseGlob } from './parse-glob.ts'

/** Something that stops a policy from being built, and where it stands. */
export interface PolicyProblem {
  /** e.g. `config.permissions.rules[2].paths[0]`. */
  readonly place: string
  readonly message: string
}

const KEYS = ['id', 'effect', 'permission', 'paths', 'tools', 'scopes', 'reason']
const MAX_TEXT = 500

/** What is wrong with rules in themselves: shape, words, globs. `place` is what the places begin with. Never throws. */
export function validateRules(rules: unknown, place = 'rules'): PolicyProblem[] {
  if (!Array.isArray(rules)) return [{ place, message: 'a list of rules is needed' }]
  return Array.from(rules, (rule: unknown, index) => validateRule(rule, `${place}[${index}]`)).flat()
}

function validateRule(rule: unknown, place: string): PolicyProblem[] {
  if (!isRecord(rule)) return [{ place, message: 'a rule is an object with effect and permission' }]
  return [
    ...unknownKeys(rule, KEYS, place),
    ...validateEffect(rule.effect, `${place}.effect`),
    ...validatePermission(rule.permission, `${place}.permission`),
    ...optionalText(rule.id, `${place}.id`),
    ...optionalText(rule.reason, `${place}.reason`, reasonProblem),
    ...validateCondition(rule.paths, { place: `${place}.paths`, each: globProblem }),
    ...validateCondition(rule.tools, { place: `${place}.tools`, each: textProblem }),
    ...validateCondition(rule.scopes, { place: `${place}.scopes`, each: textProblem }),
  ]
}

function validateEffect(effect: unknown, place: string): PolicyProblem[] {
  return ['allow', 'ask', 'deny'].includes(effect as string)
    ? []
    : [{ place, message: 'say allow, ask or deny' }]
}

/** A permission by name. A base permission in another spelling would be a rule that silently never matches. */
export function validatePermission(permission: unknown, place: string): PolicyProblem[] {
  const message = permissionProblem(permission)
  return message === null ? [] : [{ place, message }]
}

function permissionProblem(permission: unknown): string | null {
  const problem = textProblem(permission)
  if (problem !== null) return `name a permission, or * for every one: ${problem}`
  const name = permission as string
  if (name === '*' || (BASE_PERMISSIONS as readonly string[]).includes(name)) return null
  if (name.includes('*')) return 'only * itself stands for several permissions; write one rule for each'
  const meant = BASE_PERMISSIONS.find((base) => plainName(base) === plainName(name))
  return meant ? `there is no permission ${name}; write ${meant}` : null
}

interface Condition {
  place: string
  each: (text: string) => string | null
}

/** Absent holds everywhere; `[]` would hold nowhere; `null` says neither. */
function validateCondition(list: unknown, { place, each }: Condition): PolicyProblem[] {
  if (list === undefined) return []
  if (list === null) return [{ place, message: 'null says nothing; leave it away for “everywhere”' }]
  if (!Array.isArray(list)) return [{ place, message: 'a list of texts is needed' }]
  if (list.length === 0) {
    return [
      { place, message: '[] holds nowhere, so the rule can never match; leave it away for “everywhere”' },
    ]
  }
  return Array.from(list, (text: unknown, index) => {
    const message = typeof text === 'string' ? each(text) : 'a text is needed'
    return message === null ? [] : [{ place: `${place}[${index}]`, message }]
  }).flat()
}

function globProblem(glob: string): string | null {
  const parsed = parseGlob(glob)
  return parsed.ok ? null : parsed.problem
}

export function optionalText(text: unknown, place: string, problemOf = textProblem): PolicyProblem[] {
  const message = text === undefined ? null : problemOf(text)
  return message === null ? [] : [{ place, message }]
}

function reasonProblem(reason: unknown): string | null {
  return textProblem(typeof reason === 'string' ? reason.trim() : reason)
}

export function textProblem(text: unknown): string | null {
  if (typeof text !== 'string') return 'a text is needed'
  if (text.trim() === '') return 'the text is empty'
  if (text !== text.trim()) return 'there is white space around the text'
  return text.length > MAX_TEXT ? `longer than ${MAX_TEXT} characters` : null
}

export function unknownKeys(
  record: Record<string, unknown>,
  known: readonly string[],
  place: string,
): PolicyProblem[] {
  return Object.keys(record)
    .filter((key) => !known.includes(key))
    .map((key) => ({
      place: `${place}.${key}`,
      message: `there is no such key; the keys are ${known.join(', ')}`,
    }))
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
