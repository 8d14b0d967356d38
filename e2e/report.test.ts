import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ToolCallRecord } from '@kgent/contracts'
import { type ReportData, renderReport } from '@kgent/logging'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const executablePath = [process.env.KGENT_CHROMIUM, '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
)
const HOSTILE =
  '<img src="http://127.0.0.1:9/x" onerror="document.title=\'pwned\'"></script><script>document.title="pwned"</script>'

function call(seq: number, change: Partial<ToolCallRecord> = {}): ToolCallRecord {
  const tools = ['read_file', 'grep_files', 'write_file', 'load_skill']
  return {
    v: 1,
    seq,
    runId: 'r',
    callId: `c${seq}`,
    toolCallId: null,
    tool: tools[seq % tools.length] ?? 'read_file',
    attempt: 1,
    startedAt: new Date(Date.UTC(2026, 11, 1, 10, 0, 0, seq * 40 + (seq > 20 ? 4_000 : 0))).toISOString(),
    durationMs: 5 + (seq % 13) * 6,
    status: seq % 9 === 4 ? 'denied' : seq % 23 === 7 ? 'error' : 'ok',
    summary: `Call number ${seq}`,
    decisions: [
      {
        permission: seq % 2 ? 'filesystemRead' : 'filesystemWrite',
        resource: 'inputs/a.txt',
        decision: seq % 9 === 4 ? 'deny' : 'allow',
        layer: 'config',
        rule: 'no-dotenv',
        reason: 'may hold secrets',
        requestedBy: [],
      },
    ],
    input: { sha256: 'a'.repeat(64), bytes: 10, shape: { path: 'string(12)' } },
    output: { sha256: 'b'.repeat(64), bytes: 10 },
    artifacts: [],
    error: null,
    prev: null,
    ...change,
  }
}

function report(calls: ToolCallRecord[]): ReportData {
  return {
    run: {
      id: '20261201-100000-4f1c9a',
      status: 'completed',
      startedAt: '2026-12-01T10:00:00.000Z',
      actor: 'ada',
      mode: 'enforce',
    },
    calls,
    artifacts: [{ path: 'artifacts/3f9c.json', bytes: 81_234, sha256: 'c'.repeat(64) }],
    memoryWaiting: 1,
    reviewCommand: 'kgent memory list',
    verification: { ok: true, text: 'The log is as it was written.' },
  }
}

describe.skipIf(!executablePath)(
  `the report in a browser${executablePath ? '' : ' (skipped: no Chromium on this machine)'}`,
  () => {
    let browser: Browser
    let folder: string

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'kgent-e2e-'))
      browser = await chromium.launch({
        executablePath: executablePath ?? '',
        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      })
    })

    afterAll(async () => {
      await browser?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    async function open(data: ReportData): Promise<{ page: Page; requests: string[]; errors: string[] }> {
      const file = join(folder, `${Math.random()}.html`)
      writeFileSync(file, renderReport(data))
      const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
      const requests: string[] = []
      const errors: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      await page.goto(pathToFileURL(file).href)
      return { page, requests, errors }
    }

    const fifty = Array.from({ length: 50 }, (_, index) => call(index + 1))

    it('shows totals, the time axis and what went wrong first, without an error', async () => {
      const { page, errors } = await open(report(fifty))
      expect(errors).toEqual([])
      expect(await page.locator('h1').textContent()).toBe('Run 20261201-100000-4f1c9a')
      expect(await page.locator('.tile').first().textContent()).toContain('50')
      expect(await page.locator('canvas').evaluate((node) => node.clientHeight)).toBeGreaterThan(40)
      expect(
        await page.locator('section', { hasText: 'Refused, failed, interrupted' }).first().textContent(),
      ).toContain('no-dotenv')
      expect(await page.textContent('main')).toContain('kgent memory list')
      if (process.env.KGENT_SCREENSHOTS) {
        await page.screenshot({
          path: join(process.env.KGENT_SCREENSHOTS, 'report-light.png'),
          fullPage: true,
        })
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.screenshot({ path: join(process.env.KGENT_SCREENSHOTS, 'report-dark.png') })
      }
    })

    it('hostile summaries stay text, and no request leaves the page', async () => {
      const { page, requests, errors } = await open(
        report([call(1, { summary: HOSTILE, tool: HOSTILE, status: 'denied' })]),
      )
      expect(await page.title()).toBe('Run 20261201-100000-4f1c9a')
      expect(await page.locator('img').count()).toBe(0)
      expect(await page.textContent('main')).toContain(HOSTILE)
      expect(requests).toHaveLength(1)
      expect(errors).toEqual([])
    })

    it('filters by status, tool, permission and words, and opens a call', async () => {
      const { page } = await open(report(fifty))
      const count = () => page.locator('[data-count]').textContent()
      await page.selectOption('[data-filter=status]', 'denied')
      expect(await count()).toBe('6 of 50 calls')
      await page.selectOption('[data-filter=status]', '')
      await page.selectOption('[data-filter=permission]', 'filesystemWrite')
      expect(await count()).toBe('25 of 50 calls')
      await page.fill('input[type=search]', 'number 12')
      expect(await count()).toBe('1 of 50 calls')
      await page.locator('tr.call').click()
      expect(await page.locator('pre').textContent()).toContain('"sha256"')
    })

    it('works for 20,000 calls', async () => {
      const { page, errors } = await open(
        report(Array.from({ length: 20_000 }, (_, index) => call(index + 1))),
      )
      expect(errors).toEqual([])
      expect(await page.locator('[data-count]').textContent()).toBe('20000 of 20000 calls')
      expect(await page.locator('tr.call').count()).toBe(200)
      await page.getByText('Show 200 more').click()
      expect(await page.locator('tr.call').count()).toBe(400)
    })
  },
)
