import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { serverBinaries, skipReason } from './postgres-server.ts'
import { startedClient } from './started-client.ts'

describe.skipIf(!serverBinaries)(`the README's program with a server${skipReason}`, () => {
  const started = startedClient()
  const file = fileURLToPath(new URL(`./.readme-${process.pid}.mjs`, import.meta.url))

  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
    rmSync(file, { force: true })
  })

  it('prints what the README says', async () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const blocks = [...readme.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
    const program = blocks.find(([, language]) => language === 'ts')?.[2] ?? ''
    const [, output] = blocks.filter(([, language]) => language === 'text').map(([, , text]) => text)
    await started.admin.query('create database readme')
    vi.stubEnv('MEMORY_URL', started.server.url('readme'))
    const lines: string[] = []
    vi.spyOn(console, 'log').mockImplementation((...values) => lines.push(`${format(...values)}\n`))
    writeFileSync(file, program)
    await import(/* @vite-ignore */ file)
    expect(lines.join('')).toBe(output)
  })
})
