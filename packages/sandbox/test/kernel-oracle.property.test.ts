import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tree } from './fixture.ts'

const PIECES = [
  'a',
  'b',
  'c',
  'up',
  'in',
  'out',
  'loop',
  'abs',
  'f.txt',
  '.',
  '..',
  '...',
  ' ',
  '%2e%2e',
  '',
  'workspace',
]

it('the kernel agrees about inside and outside, whatever the path over a tree of links', async () => {
  const { sandbox, workspace, base, outside } = tree()
  for (const dir of ['a/b/c', 'c/a', 'b']) mkdirSync(join(workspace, dir), { recursive: true })
  for (const file of ['f.txt', 'a/f.txt', 'a/b/f.txt', 'c/a/f.txt'])
    writeFileSync(join(workspace, file), 'inside')
  symlinkSync('..', join(workspace, 'a', 'up'))
  symlinkSync('../../..', join(workspace, 'a', 'b', 'up'))
  symlinkSync('a/b', join(workspace, 'in'))
  symlinkSync(outside, join(workspace, 'out'))
  symlinkSync('../outside', join(workspace, 'c', 'out'))
  symlinkSync('loop', join(workspace, 'loop'))
  symlinkSync(join(workspace, 'c'), join(workspace, 'abs'))
  const root = realpathSync(workspace)
  const path = fc
    .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 })
    .map((pieces) => `workspace/${pieces.join('/')}`)
  await fc.assert(
    fc.asyncProperty(path, async (written) => {
      const outcome = await sandbox.resolvePath(written)
      const real = realOf(join(base), written)
      const isInside = real !== null && (real === root || real.startsWith(`${root}/`))
      // What we resolve is what the kernel resolves, and what it finds outside we refuse. `missing/..` is resolved by us
      // without asking: the kernel finds nothing there.
      if (outcome.ok && outcome.value.type !== 'missing' && real !== null) {
        expect(join(base, outcome.value.path)).toBe(real)
      }
      if (real !== null && !isInside) expect(outcome.ok).toBe(false)
      const read = await sandbox.readFile(written)
      if (read.ok && real !== null)
        expect([join(base, read.value.path), read.value.text]).toEqual([real, 'inside'])
      expect(read.ok).toBe(outcome.ok && outcome.value.type === 'file')
      // A way that leaves the mount and comes back is refused, although its end is inside.
      if (isInside && !/(^|\/)(\.\.|up)(\/|$)/.test(written)) expect(outcome.ok).toBe(true)
    }),
    { numRuns: Number(process.env.KGENT_FUZZ_RUNS ?? 3_000) },
  )
})

/** The kernel's own answer; the path is not normalised before it. */
function realOf(base: string, written: string): string | null {
  try {
    return realpathSync.native(`${base}/${written}`)
  } catch {
    return null
  }
}
