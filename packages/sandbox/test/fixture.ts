import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ErrorCode, Outcome } from '@kgent/contracts'
import { createSandbox, type Sandbox, type SandboxLimits } from '@kgent/sandbox'
import { afterEach, expect } from 'vitest'

const cleanups: (() => unknown)[] = []

afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
})

export interface Tree {
  base: string
  workspace: string
  outside: string
  sandbox: Sandbox
}

/** A sandbox with `workspace` (rw) and `inputs` (ro), and a folder outside of it that holds a canary. */
export function tree(files: Record<string, string | Buffer> = {}, limits: Partial<SandboxLimits> = {}): Tree {
  const base = mkdtempSync(join(tmpdir(), 'kgent-sandbox-'))
  cleanups.push(() => rmSync(base, { recursive: true, force: true }))
  for (const dir of ['workspace', 'inputs', 'outside']) mkdirSync(join(base, dir))
  writeFileSync(join(base, 'outside', 'secret.txt'), CANARY)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), content)
  }
  const sandbox = openSandbox(base, limits)
  return { base, workspace: join(base, 'workspace'), outside: join(base, 'outside'), sandbox }
}

export function openSandbox(base: string, limits: Partial<SandboxLimits> = {}): Sandbox {
  const sandbox = createSandbox({
    mounts: [
      { name: 'workspace', dir: join(base, 'workspace'), mode: 'rw' },
      { name: 'inputs', dir: join(base, 'inputs') },
    ],
    limits,
  })
  cleanups.push(() => sandbox.close())
  return sandbox
}

export const CANARY = 'CANARY-4711\n'

/** The value of an outcome that must have succeeded. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`)
  return outcome.value
}

/** Expects a failure of this code, told without a host path. */
export function expectFailure(outcome: Outcome<unknown>, code: ErrorCode, base = ''): void {
  expect(outcome).toMatchObject({ ok: false, error: { code } })
  if (base !== '') expect(JSON.stringify(outcome)).not.toContain(base)
}
