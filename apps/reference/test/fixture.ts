import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import { runCommand } from '../src/run-command.ts'
import type { Terminal } from '../src/terminal.ts'

const folders: string[] = []

afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true })
})

/** A temporary folder with these files, removed after the test. */
export function folder(files: Record<string, string> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'kgent-app-'))
  folders.push(dir)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  return dir
}

export interface Ended {
  code: number
  out: string
  error: string
  /** stdout as the one JSON value that it must be. */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints its own form
  json(): any
}

/** Runs the command as the shell would, in this process. Its working folder is an empty one unless a test says another. */
export async function kgent(args: readonly string[], terminal: Partial<Terminal> = {}): Promise<Ended> {
  let out = ''
  let error = ''
  const code = await runCommand(args, {
    out: (text) => {
      out += text
    },
    error: (text) => {
      error += text
    },
    colours: false,
    environment: {},
    cwd: folder(),
    interrupted: new AbortController().signal,
    ...terminal,
  })
  return { code, out, error, json: () => JSON.parse(out) }
}
