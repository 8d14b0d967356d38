import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { folder } from './fixture.ts'
import { startOpenAiServer } from './openai-server.ts'

const MAIN = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist', 'main.js')

function start(
  args: readonly string[],
  { cwd = folder(), env = {} }: { cwd?: string; env?: Record<string, string> } = {},
) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let error = ''
  child.stdout.on('data', (text) => {
    out += text
  })
  child.stderr.on('data', (text) => {
    error += text
  })
  const ended = new Promise<{ code: number | null; out: string; error: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, out, error }))
  })
  return { child, ended }
}

// `npm test` builds first; a single package's tests may run without.
describe.skipIf(!existsSync(MAIN))('the built command', () => {
  it('runs from an empty folder without a home, and finds what is shipped with it', async () => {
    const cwd = folder()
    const { code, out, error } = await start(['run', '--quiet'], { cwd }).ended
    expect([code, error]).toEqual([0, ''])
    expect(readFileSync(out.trim(), 'utf8')).toContain('# Findings in inputs (Orders service)')
    expect(readdirSync(cwd)).toEqual(['runs'])
  })

  it('prints one JSON value on stdout and nothing else', async () => {
    const { out, error } = await start(['run', '--json']).ended
    expect(JSON.parse(out)).toMatchObject({ status: 'completed' })
    expect(error).toBe('')
  })

  it('Ctrl-C closes the run, which says so, and exits with 130', async () => {
    const cwd = folder()
    let reached = () => {}
    const thinking = new Promise<void>((resolve) => {
      reached = resolve
    })
    const server = await startOpenAiServer([{ hang: () => reached() }])
    const env = { KGENT_BASE_URL: server.url, KGENT_MODEL: 'm' }
    const { child, ended } = start(['run'], { cwd, env })
    await thinking
    child.kill('SIGINT')
    const { code, out, error } = await ended
    server.close()
    expect([code, error]).toEqual([130, ''])
    expect(out).toContain('interrupted: 0 calls')
    expect(out).toMatch(/check +node \S+dist\/main\.js verify /)
    const [run = ''] = readdirSync(join(cwd, 'runs'))
    expect(JSON.parse(readFileSync(join(cwd, 'runs', run, 'run.json'), 'utf8')).status).toBe('interrupted')
    expect(readdirSync(join(cwd, 'runs', run))).not.toContain('run.lock')
  })

  it('a reader that goes away ends it without a stack', async () => {
    const { child, ended } = start(['run'])
    child.stdout.destroy()
    const { error } = await ended
    expect(error).not.toMatch(/\n\s+at |EPIPE/)
  })

  it('bad input is one line on stderr', async () => {
    const { code, out, error } = await start(['run', '--input', 'none']).ended
    expect([code, out, error]).toEqual([2, '', 'kgent: --input none: there is no such folder.\n'])
  })
})
