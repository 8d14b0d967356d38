import {
  type AccessCheck,
  errorInfo,
  type PermissionDecision,
  type PermissionGate,
  type SandboxMountInfo,
} from '@kgent/contracts'
import { askGate, type CallDecision, decisionError } from './decide-call.ts'

const MAX_EXTRA_DECISIONS = 8

/**
 * The policy's word on every path that a call's sandbox really opens: the second look that a link swapped after the
 * decision cannot get past, and the filter of listings and searches. What differs from the decision before the call
 * (an entry left out, a permission the tool did not declare) is added to the call's record, up to a bound.
 */
export function accessCheckFor(options: {
  gate: PermissionGate
  tool: string
  mounts: readonly SandboxMountInfo[]
  decision: CallDecision
}): AccessCheck {
  const { gate, tool, mounts, decision } = options
  const approved = new Set(
    decision.decisions.filter(({ decision: effect }) => effect === 'ask').map(resourceKey),
  )
  const declared = new Set(decision.decisions.map(({ permission }) => permission))
  let extra = 0
  return (permission, path) => {
    const answer = askGate(gate, { permission, path, tool, ignoreCase: ignoresCase(mounts, path) })
    const isApproved = answer.decision === 'ask' && approved.has(resourceKey(answer))
    const isNews = !declared.has(permission) || (answer.decision !== 'allow' && !isApproved)
    if (isNews && extra < MAX_EXTRA_DECISIONS && !isKnown(decision.decisions, answer)) {
      extra += 1
      decision.decisions.push(answer)
    }
    if (answer.decision === 'allow' || isApproved) return null
    return answer.decision === 'deny'
      ? decisionError(answer)
      : errorInfo('approval_required', `${permission} on ${path} needs a person’s approval of its own.`)
  }
}

function ignoresCase(mounts: readonly SandboxMountInfo[], path: string): boolean {
  return mounts.some(
    (mount) => mount.ignoresCase && (path === mount.name || path.startsWith(`${mount.name}/`)),
  )
}

function resourceKey(decision: PermissionDecision): string {
  return `${decision.permission}\0${decision.resource}`
}

function isKnown(decisions: readonly PermissionDecision[], answer: PermissionDecision): boolean {
  return decisions.some(
    (known) => resourceKey(known) === resourceKey(answer) && known.decision === answer.decision,
  )
}
