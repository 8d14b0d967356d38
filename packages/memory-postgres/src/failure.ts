import { type ErrorInfo, errorInfo } from '@kgent/contracts'
import { CallGivenUp } from './call-watch.ts'
import type { Stage } from './transaction.ts'

export interface Failure {
  readonly stage: Stage
  readonly reason: unknown
}

/**
 * What a failed call may say. The driver's own message is never repeated: it holds host names, values and SQL.
 */
export function failureInfo({ stage, reason }: Failure): ErrorInfo {
  if (reason instanceof CallGivenUp && reason.why === 'aborted') {
    return errorInfo('aborted', 'The call was cancelled before the memory database stored or found anything.')
  }
  const state = sqlState(reason)
  const known = state === null ? undefined : (EXACT[state] ?? CLASS[state.slice(0, 2)])
  const details = state === null ? {} : { details: { sqlState: state } }
  if (known) return errorInfo(known.code, known.message, details)
  return errorInfo('memory_unavailable', unavailable(stage, reason), details)
}

interface Known {
  readonly code: 'memory_unavailable' | 'memory_rejected'
  readonly message: string
}

const down = (message: string): Known => ({ code: 'memory_unavailable', message })
const rejected = (message: string): Known => ({ code: 'memory_rejected', message })
const NOT_READY = 'The memory tables are missing or out of date; run `migrate(client)` once.'
const STOPPED = 'The memory database is stopping or starting.'

/** By SQLSTATE, and below by its class. */
const EXACT: Record<string, Known> = {
  '57014': down('The memory database did not answer within the time limit.'),
  '3D000': down('The database of the memory does not exist.'),
  '3F000': down(NOT_READY),
  '42P01': down(NOT_READY),
  '42703': down(NOT_READY),
  '42501': down('The database user may not use the memory tables.'),
  '25006': down('The memory database accepts no writes now.'),
}

const CLASS: Record<string, Known> = {
  '22': rejected('The item holds something that the memory database cannot store, such as a NUL character.'),
  '54': rejected('The item is too large for the memory database.'),
  '28': down('The memory database refuses the user or the password.'),
  '53': down('The memory database has no room, memory or connections left.'),
  '57': down(STOPPED),
}

function unavailable(stage: Stage, reason: unknown): string {
  if (reason instanceof CallGivenUp) return 'The memory database did not answer within the time limit.'
  if (stage === 'connect') return 'The memory database cannot be reached.'
  if (sqlState(reason) === null) return 'The connection to the memory database was lost.'
  return 'The memory database reported a fault.'
}

function sqlState(reason: unknown): string | null {
  const code = typeof reason === 'object' && reason !== null && 'code' in reason ? reason.code : null
  // Five characters like those of a driver's `EPIPE` are told apart by the severity that only a server sends.
  const fromServer = typeof reason === 'object' && reason !== null && 'severity' in reason
  return fromServer && typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null
}
