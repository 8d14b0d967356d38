import { type ErrorInfo, errorInfo, KgentError, type ToolResult } from '@kgent/contracts'
import { ToolError } from './tool-error.ts'

/** How a handler ended: with a result, with a failure that the core puts into words, or before it began. */
export type HandlerEnd =
  | { kind: 'result'; result: unknown }
  | { kind: 'failed'; error: ErrorInfo }
  | { kind: 'crashed'; thrown: unknown }
  | { kind: 'not_started'; error: ErrorInfo }

export interface HandlerBounds {
  timeoutMs: number
  /** Whether stopping may leave an effect behind. */
  readOnly: boolean
  /** Aborted by the caller or by the closing run. */
  signals: readonly (AbortSignal | undefined)[]
}

/**
 * Runs a handler until it ends, the time limit is reached or a signal is aborted, whichever comes first. The handler's
 * own signal is aborted then; what it still does is its affair, and the answer says so.
 */
export function runHandler(
  run: (signal: AbortSignal) => unknown,
  bounds: HandlerBounds,
): Promise<HandlerEnd> {
  if (bounds.signals.some((signal) => signal?.aborted)) return Promise.resolve(notStarted())
  const controller = new AbortController()
  return new Promise((resolve) => {
    const end = (outcome: HandlerEnd) => {
      clearTimeout(timer)
      for (const signal of bounds.signals) signal?.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    const stop = (error: ErrorInfo) => {
      end({ kind: 'failed', error })
      controller.abort(new KgentError(error.code, error.message))
    }
    const onAbort = () => stop(errorInfo('aborted', `The call was cancelled.${afterwards(bounds)}`))
    const timer = setTimeout(() => stop(timeoutError(bounds)), bounds.timeoutMs)
    for (const signal of bounds.signals) signal?.addEventListener('abort', onAbort, { once: true })
    attempt(run, controller.signal).then(
      (result) => end({ kind: 'result', result }),
      (thrown: unknown) => end(describeThrown(thrown)),
    )
  })
}

async function attempt(run: (signal: AbortSignal) => unknown, signal: AbortSignal): Promise<unknown> {
  return run(signal)
}

function notStarted(): HandlerEnd {
  return {
    kind: 'not_started',
    error: errorInfo('aborted', 'The call was cancelled before it began. Nothing was run.'),
  }
}

/** Whatever was thrown: a proxy that throws when it is looked at is a crash like any other. */
function describeThrown(thrown: unknown): HandlerEnd {
  try {
    return ToolError.is(thrown) ? { kind: 'failed', error: thrown.info } : { kind: 'crashed', thrown }
  } catch {
    return { kind: 'crashed', thrown }
  }
}

function timeoutError(bounds: HandlerBounds): ErrorInfo {
  return errorInfo('timeout', `The call did not end within ${bounds.timeoutMs} ms.${afterwards(bounds)}`)
}

function afterwards(bounds: HandlerBounds): string {
  return bounds.readOnly ? '' : ' Its effect may still happen: check before you repeat it.'
}

/** Whether a value has the form of a tool result. */
export function isToolResult(value: unknown): value is ToolResult {
  if (typeof value !== 'object' || value === null) return false
  const { ok, summary, data, artifacts, error } = value as Partial<ToolResult>
  return (
    typeof ok === 'boolean' &&
    typeof summary === 'string' &&
    typeof data === 'object' &&
    !Array.isArray(data) &&
    (artifacts == null || Array.isArray(artifacts)) &&
    (ok ? error == null : isErrorInfo(error))
  )
}

function isErrorInfo(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { code, message, hint } = value as Partial<ErrorInfo>
  return typeof code === 'string' && typeof message === 'string' && (hint == null || typeof hint === 'string')
}
