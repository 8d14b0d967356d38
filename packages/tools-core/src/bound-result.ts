import {
  type ArtifactRef,
  type ArtifactStore,
  type ErrorInfo,
  errorInfo,
  type JsonObject,
  type ToolResult,
} from '@kgent/contracts'
import { toJsonSafe } from './json-safe.ts'
import { cutAtCharacter, oneLine } from './one-line.ts'

const PREVIEW_CHARS = 1_000
const MAX_MESSAGE_CHARS = 2_000

/** A result as it is given out and recorded, with the JSON text of its data (for size and hash). */
export interface BoundResult {
  result: ToolResult
  dataText: string
  artifacts: ArtifactRef[]
}

/** Makes a result JSON-safe and bounded: data larger than `maxInlineBytes` becomes an artifact that `read_file` can read. */
export async function boundResult(
  result: ToolResult,
  options: { maxInlineBytes: number; artifacts: ArtifactStore },
): Promise<BoundResult> {
  const safe = safeResult(result)
  const dataText = JSON.stringify(safe.data)
  const bytes = Buffer.byteLength(dataText)
  if (safe.data === null || bytes <= options.maxInlineBytes) return { result: safe, dataText, artifacts: [] }
  // One item a line: an agent reads it in windows of lines.
  const content = `${JSON.stringify(safe.data, null, 1)}\n`
  const stored = await options.artifacts.put({ content, mediaType: 'application/json' })
  if (!stored.ok) return { result: unstorable(safe, stored.error), dataText: 'null', artifacts: [] }
  const reference = stored.value
  const data: JsonObject = {
    artifact: reference.path,
    bytes,
    truncated: true,
    preview: cutAtCharacter(dataText, PREVIEW_CHARS),
    next: `The whole result is in ${reference.path}: read it in windows with read_file.`,
  }
  return {
    result: { ...safe, data, artifacts: [...safe.artifacts, reference.path] },
    dataText,
    artifacts: [reference],
  }
}

function safeResult(result: ToolResult): ToolResult {
  const { value, replaced } = toJsonSafe(result.data)
  const data = value as JsonObject | null
  if (data !== null && replaced.length > 0) data.$replaced = replaced
  return {
    ok: result.ok,
    summary: oneLine(result.summary),
    data,
    artifacts: (result.artifacts ?? []).filter((path) => typeof path === 'string'),
    error: result.ok || !result.error ? null : safeError(result.error),
  }
}

function safeError(error: ErrorInfo): ErrorInfo {
  const { value } = toJsonSafe(error.details)
  const details = value === null ? undefined : (value as JsonObject)
  return errorInfo(error.code, cutAtCharacter(error.message, MAX_MESSAGE_CHARS), {
    hint: error.hint && cutAtCharacter(error.hint, MAX_MESSAGE_CHARS),
    details,
  })
}

function unstorable(result: ToolResult, error: ErrorInfo): ToolResult {
  const told = result.ok ? 'The tool ran, but its' : 'The'
  const message = `${told} result is too large to show and could not be kept as an artifact: ${error.message}`
  return {
    ok: false,
    summary: oneLine(message),
    data: null,
    artifacts: result.artifacts,
    error: errorInfo('too_large', message),
  }
}
