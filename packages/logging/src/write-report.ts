import { renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToolCallRecord } from '@kgent/contracts'
import { readRecords } from './read-log.ts'
import { type ReportData, renderReport } from './render-report.ts'
import { type RunVerification, type VerifyRunOptions, verifyRun } from './verify-run.ts'

export interface ReportOptions extends VerifyRunOptions {
  /** Memory candidates that wait for a person. Default 0. */
  memoryWaiting?: number
  /** The command with which a person reviews them. */
  reviewCommand?: string
}

/**
 * Gathers what a report of a run shows. The log is read as a stream; the calls are held, at some hundred bytes each.
 * **Throws:** `KgentError` (`run_unusable`) when the folder holds no log.
 */
export async function reportData(dir: string, options: ReportOptions = {}): Promise<ReportData> {
  const verification = await verifyRun(dir, options)
  const calls: ToolCallRecord[] = []
  for await (const record of readRecords(dir)) calls.push(record)
  return {
    run: await runFacts(dir),
    calls,
    artifacts: calls.flatMap(({ artifacts }) => artifacts),
    memoryWaiting: options.memoryWaiting ?? 0,
    reviewCommand: options.reviewCommand ?? 'kgent memory list',
    verification: { ok: verification.ok, text: verificationText(verification) },
  }
}

/** Writes `report.html` into the run's folder, in one step, and returns its path. **Throws:** as `reportData`, and what writing reports. */
export async function writeReport(dir: string, options: ReportOptions = {}): Promise<string> {
  const file = join(dir, 'report.html')
  const html = renderReport(await reportData(dir, options))
  writeFileSync(`${file}.new`, html)
  renameSync(`${file}.new`, file)
  return file
}

async function runFacts(dir: string): Promise<ReportData['run']> {
  const manifest = await manifestOf(dir)
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise)
  return {
    id: text(manifest.runId, 'without a manifest'),
    status: text(manifest.status, 'unknown'),
    startedAt: text(manifest.startedAt, ''),
    actor: typeof manifest.actor?.id === 'string' ? manifest.actor.id : null,
    mode: text(manifest.policy?.mode, 'enforce'),
  }
}

interface ManifestFacts {
  runId?: unknown
  status?: unknown
  startedAt?: unknown
  actor?: { id?: unknown } | null
  policy?: { mode?: unknown }
}

async function manifestOf(dir: string): Promise<ManifestFacts> {
  try {
    return JSON.parse(await readFile(join(dir, 'run.json'), 'utf8')) as ManifestFacts
  } catch {
    return {}
  }
}

function verificationText({ ok, problems, endsRecorded }: RunVerification): string {
  const [first] = problems
  if (!ok && first) return `The log is not as it was written: ${first.file}: ${first.message}`
  return endsRecorded
    ? 'The log is as it was written.'
    : 'The log is whole as far as it goes; its end is not recorded yet.'
}
