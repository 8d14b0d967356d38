import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRunLog, renderReport, reportData, writeReport } from '@kgent/logging'
import { afterEach, describe, expect, it } from 'vitest'

const folders: string[] = []
afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true })
})

const HOSTILE = '</script><img src=x onerror=alert(1)>\u2028<!--'

async function runFolder(summary = 'fine'): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'kgent-report-'))
  folders.push(dir)
  const log = createRunLog({ dir, runId: 'r1' })
  const callId = 'c1'
  log.events.record({ type: 'tool.call.start', callId, data: { tool: 'read_file' } })
  log.logger.record({
    runId: 'r1',
    callId,
    toolCallId: null,
    tool: 'read_file',
    attempt: 1,
    startedAt: '2026-12-01T10:00:00.000Z',
    durationMs: 3,
    status: 'denied',
    summary,
    decisions: [],
    input: { sha256: 'a'.repeat(64), bytes: 2, shape: {} },
    output: { sha256: 'b'.repeat(64), bytes: 4 },
    artifacts: [{ path: 'artifacts/x.json', bytes: 60_000, sha256: 'c'.repeat(64) }],
    error: null,
  })
  log.events.record({ type: 'tool.call.end', callId, data: { tool: 'read_file' } })
  const { heads } = await log.close()
  writeFileSync(
    join(dir, 'run.json'),
    JSON.stringify({ runId: 'r1', status: 'completed', lastHash: heads, actor: { id: 'ada' } }),
  )
  return dir
}

describe('the report of a run', () => {
  it('gathers calls, artifacts, waiting memory and the state of the chain', async () => {
    const data = await reportData(await runFolder(), { memoryWaiting: 2 })
    expect(data).toMatchObject({
      run: { id: 'r1', status: 'completed', actor: 'ada', mode: 'enforce' },
      calls: [{ tool: 'read_file', status: 'denied' }],
      artifacts: [{ path: 'artifacts/x.json' }],
      memoryWaiting: 2,
      verification: { ok: true, text: 'The log is as it was written.' },
    })
  })

  it('says when a line was changed', async () => {
    const dir = await runFolder()
    const file = join(dir, 'logs', 'tools.jsonl')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"denied"', '"ok"'))
    expect((await reportData(dir)).verification).toMatchObject({
      ok: false,
      text: expect.stringContaining('logs/tools.jsonl'),
    })
  })

  it('is one page whose policy forbids every request, and whose data cannot leave its element', async () => {
    const html = readFileSync(await writeReport(await runFolder(HOSTILE)), 'utf8')
    expect(html).toMatch(
      /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'"/,
    )
    expect(html).not.toMatch(/https?:\/\/|<img|<link|@import|url\(/)
    expect(html.match(/<\/script>/g)).toHaveLength(2)
    const data = /id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
    expect(JSON.parse(data).calls[0].summary).toBe(
      JSON.parse(JSON.stringify((await reportData(await runFolder(HOSTILE))).calls[0]?.summary)),
    )
  })

  it('the id of a run is text in the title', () => {
    const run = { id: '<b>"x"', status: 'completed', startedAt: '', actor: null, mode: 'enforce' }
    const html = renderReport({
      run,
      calls: [],
      artifacts: [],
      memoryWaiting: 0,
      reviewCommand: '',
      verification: { ok: true, text: '' },
    })
    expect(html).toContain('<title>Run &#60;b&#62;&#34;x&#34;</title>')
  })
})
