import { BASE_PERMISSIONS, type EffectiveRule } from '@kgent/contracts'
import type { KnownTool } from './layers.ts'
import { nearestName } from './nearest-name.ts'
import type { TargetReport } from './target-report.ts'

/**
 * Permissions that no tool names. A rule about one can never match, so it stops the start; in the host's own list of
 * denied permissions, which may serve several hosts, it is a remark. Where a tool's permissions depend on its input the
 * list is not complete, and only what looks like a slip is told.
 */
export function checkPermissionNames(
  rules: readonly EffectiveRule[],
  tools: readonly KnownTool[] | undefined,
): TargetReport {
  if (!tools) return { problems: [], warnings: [] }
  const known = new Set<string>([
    ...BASE_PERMISSIONS,
    ...tools.flatMap(({ permissions }) => permissions ?? []),
  ])
  const isComplete = tools.every(({ permissions }) => permissions !== undefined)
  const report: TargetReport = { problems: [], warnings: [] }
  for (const { permission, source } of rules) {
    if (permission === '*' || known.has(permission)) continue
    const nearest = nearestName(permission, known)
    if (!isComplete && !nearest) continue
    const hint = nearest ? `; did you mean ${nearest}?` : ''
    const message = `no tool names the permission ${permission}${hint}`
    if (source.includes('.rules[')) report.problems.push({ place: `${source}.permission`, message })
    else report.warnings.push({ place: source, message })
  }
  return report
}
