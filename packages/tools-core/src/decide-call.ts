import {
  type ErrorInfo,
  errorInfo,
  type PermissionDecision,
  type PermissionEffect,
  type PermissionGate,
  type PermissionRequest,
  type ResolvedPermissionRequest,
} from '@kgent/contracts'
import type { CallServices, PreparedTool } from './call.ts'
import { pathAsWritten } from './path-as-written.ts'

/** What the policy says to a whole call: the strictest of its decisions, with every one of them. */
export interface CallDecision {
  effect: PermissionEffect
  decisions: PermissionDecision[]
  /** Why the call cannot run, when it cannot. */
  error: ErrorInfo | null
}

/** Decides a call on its parsed input and on resolved paths. Runs nothing. */
export async function decideCall(
  services: CallServices,
  tool: PreparedTool,
  input: unknown,
): Promise<CallDecision> {
  const decisions: PermissionDecision[] = []
  for (const request of permissionRequests(services, tool, input)) {
    const resolved = await resolveRequest(services, tool.name, request)
    if ('error' in resolved) {
      if (resolved.refusal) decisions.push(resolved.refusal)
      return { effect: 'deny', decisions, error: resolved.error }
    }
    decisions.push(askGate(services.gate, resolved.request))
  }
  return summarise(decisions)
}

function permissionRequests(
  services: CallServices,
  tool: PreparedTool,
  input: unknown,
): readonly PermissionRequest[] {
  const { permissions } = tool.definition
  if (typeof permissions === 'function') return permissions(input, services.context)
  return permissions.map((permission) => ({ permission }))
}

type Resolution =
  | { request: ResolvedPermissionRequest }
  | { error: ErrorInfo; refusal: PermissionDecision | null }

/** Replaces the path that was written by the path that it leads to; what the sandbox refuses is its denial. */
async function resolveRequest(
  services: CallServices,
  tool: string,
  request: PermissionRequest,
): Promise<Resolution> {
  if (request.path === undefined) return { request: { ...request, tool } }
  const resolved = await services.context.sandbox.resolvePath(request.path)
  if (!resolved.ok) {
    const denial = denialAsWritten(services, tool, request)
    return denial
      ? { error: decisionError(denial), refusal: denial }
      : { error: resolved.error, refusal: sandboxRefusal(request, resolved.error) }
  }
  const { path, mount } = resolved.value
  return { request: { ...request, path, tool, ignoreCase: mount.ignoresCase } }
}

/** What the sandbox found on the way may be told only where the policy does not deny the path as it was written. */
function denialAsWritten(
  { gate, context }: CallServices,
  tool: string,
  request: PermissionRequest,
): PermissionDecision | null {
  const written = pathAsWritten(request.path ?? '', context.sandbox.mounts)
  if (written === null) return null
  const decision = askGate(gate, { ...request, ...written, tool })
  return decision.decision === 'deny' ? decision : null
}

function sandboxRefusal(request: PermissionRequest, error: ErrorInfo): PermissionDecision | null {
  if (error.code !== 'path_outside' && error.code !== 'path_invalid') return null
  return {
    permission: request.permission,
    resource: request.path?.slice(0, 200) ?? null,
    decision: 'deny',
    layer: 'sandbox',
    rule: error.code,
    reason: error.message,
    requestedBy: [],
  }
}

/** Asks the gate. A gate that throws has not allowed anything. */
export function askGate(gate: PermissionGate, request: ResolvedPermissionRequest): PermissionDecision {
  try {
    return gate(request)
  } catch {
    return {
      permission: request.permission,
      resource: request.path ?? request.scope ?? request.resource ?? null,
      decision: 'deny',
      layer: 'default',
      rule: null,
      reason: 'The permission check itself failed, which counts as a denial.',
      requestedBy: [],
    }
  }
}

function summarise(decisions: PermissionDecision[]): CallDecision {
  const denied = decisions.find(({ decision }) => decision === 'deny')
  if (denied) return { effect: 'deny', decisions, error: decisionError(denied) }
  const asked = decisions.find(({ decision }) => decision === 'ask')
  if (asked) return { effect: 'ask', decisions, error: decisionError(asked) }
  return { effect: 'allow', decisions, error: null }
}

/** The refusal that a decision means, for the model to read. */
export function decisionError(decision: PermissionDecision): ErrorInfo {
  const about =
    decision.resource === null ? decision.permission : `${decision.permission} on ${decision.resource}`
  const details = {
    permission: decision.permission,
    resource: decision.resource,
    layer: decision.layer,
    rule: decision.rule,
  }
  if (decision.decision === 'ask') {
    return errorInfo('approval_required', `${about} needs a person’s approval: ${decision.reason}`, {
      hint: 'Nothing was run. Go on without it, or tell the user what you need it for.',
      details,
    })
  }
  return errorInfo('permission_denied', `${about} is not allowed: ${decision.reason}`, {
    hint: 'Nothing was run. The same call will be refused again.',
    details,
  })
}
