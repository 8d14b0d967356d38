import { type ErrorCode, type ErrorInfoExtras, KgentError } from '@kgent/contracts'

/**
 * What a handler throws when its failure is meant for the model to read. Any other exception is answered with
 * `internal` and a reference, and its text goes to the host's error log only.
 */
export class ToolError extends KgentError {
  /** Set on purpose: `KgentError` thrown by accident deep inside a library is not a message to a model. */
  readonly forModel = true

  constructor(message: string, options: ErrorInfoExtras & { code?: ErrorCode } = {}) {
    super(options.code ?? 'tool_failed', message, options)
    this.name = 'ToolError'
  }

  static override is(value: unknown): value is ToolError {
    return KgentError.is(value) && (value as Partial<ToolError>).forModel === true
  }
}
