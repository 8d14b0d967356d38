import {
  type ArtifactRef,
  type ArtifactStore,
  ERROR_CODES,
  type ErrorCode,
  type ErrorInfo,
  errorInfo,
  type JsonObject,
  type ToolResult,
} from '@kgent/contracts'
import { toJsonSafe } from './json-safe.ts'
import { cutAtCharacter, oneLine } from './one-line.ts'

const PREVIEW_CHARS = 1_000
const MAX_MESSAGE_CHARS = 2_000
const MAX_DETAILS_BYTES = 4_096
const MAX_NAMED_ARTIFACTS = 100
const MAX_ARTIFACT_CHARS = 1_000

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
    artifacts: namedArtifacts(result.artifacts ?? []),
    error: result.ok || !result.error ? null : safeError(result.error),
  }
}

/** Paths only, and not without end: a list of thousands belongs into `data`, which is bounded as a whole. */
function namedArtifacts(paths: readonly unknown[]): string[] {
  return paths
    .filter((path) => typeof path === 'string')
    .slice(0, MAX_NAMED_ARTIFACTS)
    .map((path) => cutAtCharacter(path, MAX_ARTIFACT_CHARS).toWellFormed())
}

/** An error as models and logs may have it: a code of the table, text and details within bounds. */
function safeError(error: ErrorInfo): ErrorInfo {
  const code: ErrorCode = Object.hasOwn(ERROR_CODES, error.code) ? error.code : 'tool_failed'
  return errorInfo(code, safeText(error.message), {
    hint: error.hint ? safeText(error.hint) : undefined,
    details: safeDetails(error.details),
  })
}

function safeText(text: string): string {
  return cutAtCharacter(text, MAX_MESSAGE_CHARS).toWellFormed()
}

function safeDetails(details: unknown): JsonObject | undefined {
  const { value } = toJsonSafe(details)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const bytes = Buffer.byteLength(JSON.stringify(value))
  return bytes <= MAX_DETAILS_BYTES ? value : { $omitted: `${bytes} bytes of details` }
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
