import type { EffectiveRule, PolicyLayers, ResolvedPermissionRequest } from '@kgent/permissions'
import { referenceMatches } from './reference-glob.ts'

/** What a policy must answer, written down as plainly as the specification says it: collect, then deny, ask, allow. */
export function referenceDecision(
  rules: readonly EffectiveRule[],
  { sandbox, config }: PolicyLayers,
  request: ResolvedPermissionRequest,
): string {
  const matching = rules.filter((rule) => ruleMatches(rule, request))
  const has = (effect: string, layers: readonly string[]) =>
    matching.some((rule) => rule.effect === effect && layers.includes(rule.layer))
  if (has('deny', ['runtime'])) return 'deny runtime'
  if (has('deny', ['sandbox']) || isOutside(request.path, sandbox)) return 'deny sandbox'
  const strict = has('deny', ['config']) ? 'deny config' : has('ask', ['runtime', 'config']) ? 'ask' : null
  if (config?.mode === 'observe') return has('ask', ['runtime']) ? 'ask' : 'allow'
  return strict ?? (has('allow', ['runtime', 'config']) ? 'allow' : 'deny default')
}

function ruleMatches(
  { permission, tools, scopes, paths, effect }: EffectiveRule,
  request: ResolvedPermissionRequest,
) {
  const { path, scope, tool } = request
  if (permission !== '*' && permission !== request.permission) return false
  if (tools && !tools.some((name) => starMatches(name, tool))) return false
  if (scopes && !scopes.some((name) => scope !== undefined && starMatches(name, scope))) return false
  if (!paths) return true
  if (path === undefined || isUnresolved(path)) return false
  const ignoresCase = request.ignoreCase === true && effect !== 'allow'
  return paths.some(
    (glob) =>
      referenceMatches(glob, path) ||
      (ignoresCase && referenceMatches(glob.toLowerCase(), path.toLowerCase())),
  )
}

function starMatches(pattern: string, text: string): boolean {
  return pattern.endsWith('*')
    ? text.startsWith(pattern.slice(0, -1))
    : pattern.startsWith('*')
      ? text.endsWith(pattern.slice(1))
      : pattern === text
}

function isOutside(path: string | undefined, sandbox: PolicyLayers['sandbox']): boolean {
  if (path === undefined) return false
  if (isUnresolved(path)) return true
  return (
    sandbox !== undefined && !sandbox.mounts.some(({ name }) => path === name || path.startsWith(`${name}/`))
  )
}

function isUnresolved(path: string): boolean {
  return path.split('/').some((name) => ['', '.', '..'].includes(name))
}
