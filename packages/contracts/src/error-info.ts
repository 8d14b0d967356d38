import { ERROR_CODES, type ErrorCode } from './error-codes.ts'
import type { JsonObject } from './json.ts'

/**
 * A failure as plain data: shown to models and written to logs.
 * **Contract:** no stack, no cause, no host path, no secret.
 */
export interface ErrorInfo {
  code: ErrorCode
  /** What went wrong and what to do, in one or two sentences. */
  message: string
  /** Whether the very same call may succeed later. Taken from the table of codes. */
  retryable: boolean
  /** A suggestion for the next step, e.g. the nearest existing name. */
  hint?: string
  details?: JsonObject
}

/** What may be said about a failure besides its code and message. */
export interface ErrorInfoExtras {
  hint?: string | undefined
  details?: JsonObject | undefined
}

/** Builds an `ErrorInfo` whose `retryable` agrees with the table of codes. */
export function errorInfo(code: ErrorCode, message: string, extras: ErrorInfoExtras = {}): ErrorInfo {
  const info: ErrorInfo = { code, message, retryable: ERROR_CODES[code].retryable }
  if (extras.hint !== undefined) info.hint = extras.hint
  if (extras.details !== undefined) info.details = extras.details
  return info
}

/** The answer of an operation whose failure is expected: a value or an `ErrorInfo`, never an exception. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorInfo }

/** A successful `Outcome`. */
export function succeed<T>(value: T): Outcome<T> {
  return { ok: true, value }
}

/** A failed `Outcome`. */
export function fail(
  code: ErrorCode,
  message: string,
  extras?: ErrorInfoExtras,
): { readonly ok: false; readonly error: ErrorInfo } {
  return { ok: false, error: errorInfo(code, message, extras) }
}
