import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CreateRunOptions, createRun, type Run } from '@kgent/runtime'
import { afterEach } from 'vitest'

const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A temporary folder with these files, removed after the test. */
export function folder(files: Record<string, string> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'kgent-test-'))
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  return dir
}

/** A run in a temporary folder, closed after the test. */
export async function startRun(options: Partial<CreateRunOptions> = {}): Promise<Run> {
  const run = await createRun({ runsDir: folder(), ...options })
  cleanups.push(() => run.close())
  return run
}

// biome-ignore lint/suspicious/noExplicitAny: a line's form is what the tests look at
export type Line = Record<string, any>

/** The lines of a JSON Lines file of a run. */
export function lines(run: { dir: string }, file: string): Line[] {
  return readFileSync(join(run.dir, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

export function fileText(run: { dir: string }, file: string): string {
  return readFileSync(join(run.dir, file), 'utf8')
}
