import type { ErrorCode, ToolCallStatus, ToolResult } from '@kgent/contracts'

const STATUS_OF_CODE: Partial<Record<ErrorCode, ToolCallStatus>> = {
  invalid_input: 'invalid',
  unknown_tool: 'invalid',
  permission_denied: 'denied',
  approval_required: 'denied',
  approval_rejected: 'denied',
  approval_invalid: 'denied',
  path_outside: 'denied',
  path_invalid: 'denied',
  read_only: 'denied',
  memory_disabled: 'denied',
  memory_scope: 'denied',
  skill_over_budget: 'denied',
  log_unavailable: 'denied',
  timeout: 'timeout',
  aborted: 'aborted',
  interrupted: 'interrupted',
}

/** The status of a call in its record, from its result. */
export function statusOf(result: ToolResult): ToolCallStatus {
  if (result.ok || !result.error) return 'ok'
  return STATUS_OF_CODE[result.error.code] ?? 'error'
}
