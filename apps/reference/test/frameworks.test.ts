import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder, kgent } from './fixture.ts'

// biome-ignore lint/suspicious/noExplicitAny: records as they are written
type Line = Record<string, any>

async function recordsWith(framework: string): Promise<{ records: Line[]; report: string; steps: number }> {
  const ended = await kgent(['run', '--json', '--runs', folder(), '--framework', framework])
  expect([ended.code, ended.error]).toEqual([0, ''])
  const { dir, report, steps } = ended.json()
  const lines = readFileSync(join(dir, 'logs', 'tools.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  return { records: lines.map((line) => JSON.parse(line)), report: readFileSync(report, 'utf8'), steps }
}

/** What a record says besides times, drawn ids, and the place in the file, which hangs on which of two calls ended first. */
function comparable(records: readonly Line[]): Line[] {
  return records
    .map(
      ({
        runId: _run,
        callId: _call,
        startedAt: _at,
        durationMs: _took,
        at: _written,
        seq: _seq,
        prev: _prev,
        output,
        ...rest
      }) => ({
        ...rest,
        // A candidate's id is drawn anew, and so is in the hash.
        output: rest.tool === 'write_memory' ? null : output,
      }),
    )
    .sort((one: Line, other: Line) =>
      String(one.toolCallId).localeCompare(String(other.toolCallId), 'en', { numeric: true }),
    )
}

describe('--framework', () => {
  it('the same job through two frameworks leaves the same record, but for times and ids', async () => {
    const [one, other] = [await recordsWith('ai-sdk'), await recordsWith('langchain')]
    expect(comparable(other.records)).toEqual(comparable(one.records))
    expect(one.records.length).toBeGreaterThan(15)
    expect(other.report).toBe(one.report)
    expect(other.steps).toBe(one.steps)
  })

  it('Ctrl-C closes a LangChain run as interrupted', async () => {
    const ended = await kgent(['run', '--json', '--runs', folder(), '--framework', 'langchain'], {
      interrupted: AbortSignal.abort(),
    })
    expect([ended.code, ended.json().status]).toEqual([130, 'interrupted'])
  })
})
