import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder, kgent } from './fixture.ts'

it('report writes one page into the run, and prints text or JSON instead when asked', async () => {
  const runs = folder()
  await kgent([
    'call',
    'write_file',
    '--input',
    '{"path":"/etc/x","content":"x"}',
    '--run',
    'r1',
    '--runs',
    runs,
  ])
  const text = await kgent(['report', 'r1', '--runs', runs, '--text'])
  expect(text.out).toMatch(/^run r1: completed, 1 calls \(1 denied\)\n {2}denied {2}write_file: /)
  expect((await kgent(['report', 'r1', '--runs', runs, '--json'])).json()).toMatchObject({
    run: { id: 'r1' },
    verification: { ok: true },
  })
  expect(existsSync(join(runs, 'r1', 'report.html'))).toBe(false)
  const page = await kgent(['report', 'r1', '--runs', runs])
  expect([page.code, page.out.trim()]).toEqual([0, join(runs, 'r1', 'report.html')])
  expect(readFileSync(page.out.trim(), 'utf8')).toContain('Content-Security-Policy')
  expect((await kgent(['report', 'none', '--runs', runs])).code).toBe(1)
})
