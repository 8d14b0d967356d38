import {
  BASE_PERMISSIONS,
  type EffectiveRule,
  type PermissionLayer,
  type PermissionRule,
} from '@kgent/contracts'
import { type ConfigLayer, DEFAULT_CONFIG_SOURCE, type PolicyLayers, type RuntimeLayer } from './layers.ts'
import { runtimeDefaults } from './runtime-defaults.ts'
import { sandboxRules } from './sandbox-rules.ts'

/** Every rule of every layer with its layer, id and place. The layers are valid. */
export function collectRules({ runtime = {}, config = {}, sandbox }: PolicyLayers): EffectiveRule[] {
  return [
    ...runtimeDefaults(runtime),
    ...runtimeRules(runtime),
    ...sandboxRules(sandbox?.mounts ?? null),
    ...configRules(config),
  ].map(frozenRule)
}

function runtimeRules({ deny = [], rules = [] }: RuntimeLayer): EffectiveRule[] {
  const denials = deny.map((permission, index): EffectiveRule => {
    const source = `runtime.deny[${index}]`
    return {
      id: source,
      layer: 'runtime',
      source,
      effect: 'deny',
      permission,
      reason: 'The host program denies it.',
    }
  })
  return [...denials, ...rules.map((rule, index) => placedRule(rule, 'runtime', `runtime.rules[${index}]`))]
}

function configRules(config: ConfigLayer): EffectiveRule[] {
  const place = config.source ?? DEFAULT_CONFIG_SOURCE
  const switches = BASE_PERMISSIONS.flatMap((permission): EffectiveRule[] => {
    const isOn = config[permission]
    if (isOn === undefined) return []
    const source = `${place}.${permission}`
    const reason = `The configuration turns ${permission} ${isOn ? 'on' : 'off'}.`
    return [{ id: source, layer: 'config', source, effect: isOn ? 'allow' : 'deny', permission, reason }]
  })
  const rules = config.rules ?? []
  return [...switches, ...rules.map((rule, index) => placedRule(rule, 'config', `${place}.rules[${index}]`))]
}

function placedRule(rule: PermissionRule, layer: PermissionLayer, source: string): EffectiveRule {
  const { id = source, effect, permission, paths, tools, scopes, reason } = rule
  return { id, layer, source, effect, permission, paths, tools, scopes, reason }
}

/** A copy of its own, so that nobody's later change of the input changes the policy. */
function frozenRule({
  id,
  layer,
  source,
  effect,
  permission,
  paths,
  tools,
  scopes,
  reason,
}: EffectiveRule): EffectiveRule {
  return Object.freeze({
    id,
    layer,
    source,
    effect,
    permission,
    ...(paths && { paths: frozenList(paths) }),
    ...(tools && { tools: frozenList(tools) }),
    ...(scopes && { scopes: frozenList(scopes) }),
    ...(reason !== undefined && { reason }),
  })
}

function frozenList(texts: readonly string[]): string[] {
  return Object.freeze([...texts]) as unknown as string[]
}
