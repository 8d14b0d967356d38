import {
  type ErrorCode,
  type ErrorInfo,
  type ErrorInfoExtras,
  errorInfo,
  type JsonObject,
  type ToolResult,
} from '@kgent/contracts'

/** A successful result. `data` is made JSON-safe by the core; say only what JSON can say. */
export function okResult<D extends object>(
  summary: string,
  data: D,
  artifacts: string[] = [],
): ToolResult<D & JsonObject> {
  return { ok: true, summary, data: data as D & JsonObject, artifacts, error: null }
}

/** A failed result from an `ErrorInfo`; the summary is its message. */
export function failedResult(error: ErrorInfo, data: JsonObject | null = null): ToolResult<never> {
  return { ok: false, summary: error.message, data, artifacts: [], error } as ToolResult<never>
}

/** A failed result from a code and a message. */
export function failure(code: ErrorCode, message: string, extras?: ErrorInfoExtras): ToolResult<never> {
  return failedResult(errorInfo(code, message, extras))
}
