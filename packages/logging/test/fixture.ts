import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunLog, ToolCallDraft } from '@kgent/logging'
import { onTestFinished } from 'vitest'

const HASH = 'a'.repeat(64)

/** An empty folder that is gone after the test. */
export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'kgent-logging-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export function draft(fields: Partial<ToolCallDraft> = {}): ToolCallDraft {
  return {
    runId: 'run-1',
    callId: 'call-1',
    toolCallId: null,
    tool: 'read_file',
    attempt: 1,
    startedAt: '2026-12-01T10:00:00.000Z',
    durationMs: 1.5,
    status: 'ok',
    summary: 'Read workspace/a.txt, lines 1 to 3 of 3.',
    decisions: [
      {
        permission: 'filesystemRead',
        resource: 'workspace/a.txt',
        decision: 'allow',
        layer: 'runtime',
        rule: 'runtime.read',
        reason: 'Reading is on by default.',
        requestedBy: [],
      },
    ],
    input: { sha256: HASH, bytes: 20, shape: { path: 'string(15)' } },
    output: { sha256: HASH, bytes: 120 },
    artifacts: [],
    error: null,
    ...fields,
  }
}

/** The three lines of a call, as the core writes them. */
export function writeCall(log: RunLog, fields: Partial<ToolCallDraft> = {}): void {
  const record = draft(fields)
  const { callId, tool, toolCallId, attempt, input, status } = record
  log.events.record({ type: 'tool.call.start', callId, data: { tool, toolCallId, attempt, input } })
  log.logger.record(record)
  log.events.record({ type: 'tool.call.end', callId, data: { tool, toolCallId, attempt, status } })
}

export function read(...path: string[]): string {
  return readFileSync(join(...path), 'utf8')
}

/** The lines of a JSON Lines file; each must be JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into lines of several kinds.
export function linesOf(...path: string[]): Record<string, any>[] {
  return read(...path)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Writes the manifest that a runtime would write at the end. */
export function writeHeads(dir: string, heads: unknown): void {
  writeFileSync(join(dir, 'run.json'), JSON.stringify({ v: 1, lastHash: heads }))
}
