import type { JsonObject } from '@kgent/contracts'
import type { DoneCall } from './conversation.ts'

/** How many windows of one artifact are read before the rest is given up. */
const MAX_WINDOWS = 8

/**
 * What a call answered. An answer that was too large to inline lies in an artifact: it is put together from the windows
 * that were read. Null while windows are missing, and for good when the artifact cannot be read.
 */
export function wholeAnswer(call: DoneCall, calls: readonly DoneCall[]): JsonObject | null {
  const artifact = artifactOf(call)
  if (artifact === null) return call.data
  const windows = windowsOf(artifact, calls)
  if (windows.at(-1)?.data?.nextOffset !== null) return null
  try {
    return JSON.parse(windows.map(({ data }) => String(data?.text ?? '')).join('')) as JsonObject
  } catch {
    return null
  }
}

/** The input of the `read_file` call that an artifact's text still needs, or null when nothing is left to read. */
export function missingWindow(call: DoneCall, calls: readonly DoneCall[]): JsonObject | null {
  const artifact = artifactOf(call)
  if (artifact === null) return null
  const windows = windowsOf(artifact, calls)
  const last = windows.at(-1)
  if (!last) return { path: artifact }
  const next = last.data?.nextOffset
  const isOver = last.failure !== null || typeof next !== 'number' || windows.length >= MAX_WINDOWS
  return isOver ? null : { path: artifact, offset: next }
}

function artifactOf({ data }: DoneCall): string | null {
  return typeof data?.artifact === 'string' ? data.artifact : null
}

function windowsOf(artifact: string, calls: readonly DoneCall[]): DoneCall[] {
  return calls.filter(({ tool, input }) => tool === 'read_file' && input.path === artifact)
}
