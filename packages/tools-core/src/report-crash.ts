import { randomUUID } from 'node:crypto'
import { type ErrorInfo, errorInfo } from '@kgent/contracts'
import type { Call, CallServices } from './call.ts'

const MAX_THROWN_CHARS = 4_000
const DIRECTORIES = /(?:file:\/\/)?(?:[A-Za-z]:)?(?:[\\/][^\s\\/'"()<>|:*?]+)+[\\/](?=[^\s\\/'"()<>|:*?])/g

/** Writes what was thrown to the host's error log and returns what a model may know of it: a reference. */
export function reportCrash(services: CallServices, call: Call, thrown: unknown): ErrorInfo {
  const reference = randomUUID().slice(0, 8)
  const message = `${call.toolName} failed unexpectedly (reference ${reference}).`
  services.context.logger.recordError({
    callId: call.callId,
    tool: call.toolName,
    code: 'internal',
    message,
    reference,
    thrown: describeThrown(thrown),
  })
  return errorInfo('internal', message, {
    hint: 'The reference leads to the host’s error log. Its effect may have happened in part: check before you repeat it.',
    details: { reference },
  })
}

/** Name, message and stack of anything thrown, with the folders taken out of every path. */
function describeThrown(thrown: unknown): string {
  return textOf(thrown).slice(0, MAX_THROWN_CHARS).replace(DIRECTORIES, '…/')
}

function textOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? (thrown.stack ?? `${thrown.name}: ${thrown.message}`) : String(thrown)
  } catch {
    return 'something that cannot be printed'
  }
}
