import type { ErrorCode } from './error-codes.ts'
import { type ErrorInfo, type ErrorInfoExtras, errorInfo } from './error-info.ts'

const BRAND = Symbol.for('kgent.error')

/**
 * Thrown for misuse by a programmer or a configuration that cannot work: at construction time, with a message that
 * says what to do. Expected failures are values (`Outcome`, `ToolResult`), never exceptions.
 *
 * `KgentError.is` also recognises errors of another installed copy of this package.
 */
export class KgentError extends Error {
  readonly info: ErrorInfo

  constructor(code: ErrorCode, message: string, extras?: ErrorInfoExtras) {
    super(message)
    this.name = 'KgentError'
    this.info = errorInfo(code, message, extras)
    Object.defineProperty(this, BRAND, { value: true })
  }

  get code(): ErrorCode {
    return this.info.code
  }

  static is(value: unknown): value is KgentError {
    return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true
  }
}
