import { BASE_PERMISSIONS } from '@kgent/contracts'
import { DEFAULT_CONFIG_SOURCE } from './layers.ts'
import {
  isRecord,
  optionalText,
  type PolicyProblem,
  textProblem,
  unknownKeys,
  validatePermission,
  validateRules,
} from './validate-rules.ts'

const DESTRUCTIVE = ['filesystemDelete', 'shell']

/** What is wrong with the shape of layers, rule by rule and key by key; empty when all of it can be read. */
export function validateLayers(layers: unknown): PolicyProblem[] {
  if (!isRecord(layers)) return [{ place: 'layers', message: 'an object is needed' }]
  return [
    ...unknownKeys(layers, ['runtime', 'config', 'skills', 'sandbox', 'tools'], 'layers'),
    ...part(layers.runtime, 'runtime', validateRuntime),
    ...part(layers.config, 'config', validateConfig),
    ...part(layers.sandbox, 'sandbox', ({ mounts }) => list(mounts, 'sandbox.mounts', validateMount)),
    ...(layers.skills === undefined ? [] : list(layers.skills, 'skills', validateSkill)),
    ...(layers.tools === undefined ? [] : list(layers.tools, 'tools', validateTool)),
  ]
}

function part(
  value: unknown,
  place: string,
  validate: (value: Record<string, unknown>) => PolicyProblem[],
): PolicyProblem[] {
  if (value === undefined) return []
  return isRecord(value)
    ? validate(value)
    : [{ place, message: 'an object is needed; leave it away for “not set”' }]
}

function list(
  value: unknown,
  place: string,
  validate: (item: unknown, place: string) => PolicyProblem[],
): PolicyProblem[] {
  if (!Array.isArray(value)) return [{ place, message: 'a list is needed' }]
  return Array.from(value, (item: unknown, index) => validate(item, `${place}[${index}]`)).flat()
}

function validateRuntime(runtime: Record<string, unknown>): PolicyProblem[] {
  const { deny, rules, allowDestructive } = runtime
  return [
    ...unknownKeys(runtime, ['deny', 'rules', 'allowDestructive'], 'runtime'),
    ...(deny === undefined ? [] : list(deny, 'runtime.deny', validatePermission)),
    ...(rules === undefined ? [] : validateRules(rules, 'runtime.rules')),
    ...(allowDestructive === undefined
      ? []
      : list(allowDestructive, 'runtime.allowDestructive', validateDestructive)),
  ]
}

function validateDestructive(permission: unknown, place: string): PolicyProblem[] {
  return DESTRUCTIVE.includes(permission as string)
    ? []
    : [{ place, message: `say ${DESTRUCTIVE.join(' or ')}` }]
}

function validateConfig(config: Record<string, unknown>): PolicyProblem[] {
  const place = typeof config.source === 'string' ? config.source : DEFAULT_CONFIG_SOURCE
  const { rules, mode } = config
  return [
    ...unknownKeys(config, [...BASE_PERMISSIONS, 'rules', 'mode', 'source'], place),
    ...optionalText(config.source, 'config.source'),
    ...BASE_PERMISSIONS.flatMap((permission) => validateSwitch(config[permission], `${place}.${permission}`)),
    ...(mode === undefined || mode === 'enforce' || mode === 'observe'
      ? []
      : [{ place: `${place}.mode`, message: 'say enforce or observe' }]),
    ...(rules === undefined ? [] : validateRules(rules, `${place}.rules`)),
  ]
}

function validateSwitch(value: unknown, place: string): PolicyProblem[] {
  if (value === undefined || typeof value === 'boolean') return []
  return [{ place, message: 'say true or false, or leave it away for “not set”' }]
}

function validateMount(mount: unknown, place: string): PolicyProblem[] {
  if (!isRecord(mount)) return [{ place, message: 'a mount is an object with name and mode' }]
  const { name, mode } = mount
  const isName =
    typeof name === 'string' && name.split('/').every((segment) => !['', '.', '..'].includes(segment))
  return [
    ...(isName
      ? []
      : [{ place: `${place}.name`, message: 'name the mount as agents see it, such as inputs' }]),
    ...(mode === 'ro' || mode === 'rw' ? [] : [{ place: `${place}.mode`, message: 'say ro or rw' }]),
  ]
}

function validateSkill(skill: unknown, place: string): PolicyProblem[] {
  if (!isRecord(skill)) return [{ place, message: 'a skill’s request is an object with id and permissions' }]
  return [
    ...requiredText(skill.id, `${place}.id`),
    ...list(skill.permissions, `${place}.permissions`, requiredText),
  ]
}

function validateTool(tool: unknown, place: string): PolicyProblem[] {
  if (!isRecord(tool)) return [{ place, message: 'a tool is an object with a name' }]
  const { name, permissions } = tool
  return [
    ...requiredText(name, `${place}.name`),
    ...(permissions === undefined ? [] : list(permissions, `${place}.permissions`, requiredText)),
  ]
}

function requiredText(text: unknown, place: string): PolicyProblem[] {
  const message = textProblem(text)
  return message === null ? [] : [{ place, message }]
}
