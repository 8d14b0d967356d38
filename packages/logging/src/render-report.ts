import { createHash } from 'node:crypto'
import type { ToolCallRecord } from '@kgent/contracts'
import { reportAssets } from './report-assets.ts'

/** Everything that a report shows. */
export interface ReportData {
  run: { id: string; status: string; startedAt: string; actor: string | null; mode: string }
  calls: readonly ToolCallRecord[]
  artifacts: readonly { path: string; bytes: number; sha256: string }[]
  memoryWaiting: number
  /** Command with which a person reviews what waits. */
  reviewCommand: string
  verification: { ok: boolean; text: string }
}

/**
 * One self-contained HTML page: no request leaves it (its policy allows exactly its own style and program, by hash), and
 * the data stands in it as escaped JSON that only ever becomes text.
 */
export function renderReport(data: ReportData): string {
  const { style, script } = reportAssets()
  const policy = [
    "default-src 'none'",
    `script-src '${integrity(script)}'`,
    `style-src '${integrity(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Run ${escapeHtml(data.run.id)}</title>
<style>${style}</style>
</head>
<body>
<main></main>
<script type="application/json" id="data">${escapeJson(data)}</script>
<script>${script}</script>
</body>
</html>
`
}

function integrity(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/** JSON that cannot end the element it stands in, whatever it says. */
function escapeJson(data: ReportData): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function escapeHtml(text: string): string {
  return text.replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
