import { mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox, KgentError } from '@kgent/sandbox'
import { afterEach, describe, expect, it } from 'vitest'
import { expectFailure, tree, unwrap } from './fixture.ts'

const open: { close(): void }[] = []

afterEach(() => {
  for (const sandbox of open.splice(0)) sandbox.close()
})

function sandboxOver(...args: Parameters<typeof createSandbox>) {
  const sandbox = createSandbox(...args)
  open.push(sandbox)
  return sandbox
}

/** `all` (ro) holds the folder of `own` (rw), and a link to it. */
function nested() {
  const { base } = tree({ 'inputs/own/a.txt': 'needle\n', 'inputs/b.txt': 'needle\n' })
  symlinkSync('own', join(base, 'inputs', 'link'))
  const all = { name: 'all', dir: join(base, 'inputs') }
  const own = { name: 'own', dir: join(base, 'inputs', 'own'), mode: 'rw' as const }
  return { base, sandbox: sandboxOver({ mounts: [all, own] }) }
}

describe('a mount below another', () => {
  it('has one name only, so that no rule about it can be gone round', async () => {
    const { sandbox } = nested()
    for (const path of ['all/own/a.txt', 'all/link/a.txt', 'own/a.txt'])
      expect(unwrap(await sandbox.readFile(path)).path).toBe('own/a.txt')
    expect(unwrap(await sandbox.resolvePath('all/own'))).toMatchObject({ path: 'own', mount: { mode: 'rw' } })
    expect(unwrap(await sandbox.writeFile('all/own/new.txt', 'x')).path).toBe('own/new.txt')
  })

  it('is listed like a link to it, and searched under its own name only', async () => {
    const { sandbox } = nested()
    const { entries } = unwrap(await sandbox.listFiles('all', { recursive: true }))
    expect(entries.map(({ path, type, target }) => [path, type, target])).toEqual([
      ['all/b.txt', 'file', undefined],
      ['all/link', 'link', 'own'],
      ['all/own', 'link', 'own'],
    ])
    const found = unwrap(await sandbox.grepFiles('needle', { path: 'all' }))
    expect(found.matches.map(({ path }) => path)).toEqual(['all/b.txt'])
    expect(found.leftOut).toEqual({ link: 2 })
  })

  it('keeps its name when its folder is moved inside the other one', async () => {
    const { sandbox, base } = nested()
    renameSync(join(base, 'inputs', 'own'), join(base, 'inputs', 'moved'))
    expect(unwrap(await sandbox.readFile('all/moved/a.txt')).path).toBe('own/a.txt')
  })

  it('is not left by climbing', async () => {
    const { sandbox } = nested()
    expectFailure(await sandbox.readFile('all/own/../b.txt'), 'path_outside')
  })
})

describe('createSandbox', () => {
  const thrown = (make: () => unknown): string => {
    try {
      make()
    } catch (error) {
      if (KgentError.is(error)) return error.message
    }
    return 'nothing was thrown'
  }

  it('refuses a folder that is given twice, also through a link', () => {
    const { base } = tree()
    symlinkSync('inputs', join(base, 'alias'))
    const mounts = [
      { name: 'a', dir: join(base, 'inputs') },
      { name: 'b', dir: join(base, 'alias') },
    ]
    expect(thrown(() => createSandbox({ mounts }))).toMatch('the same folder')
  })

  it('refuses limits, modes and a default that cannot be meant, and says what can', () => {
    const { base } = tree()
    const mounts = [{ name: 'a', dir: join(base, 'inputs') }]
    expect(thrown(() => createSandbox({ mounts, limits: { maxReadBytes: 0 } }))).toMatch(
      'limits.maxReadBytes',
    )
    expect(thrown(() => createSandbox({ mounts, limits: { maxBytes: 1 } as object }))).toMatch('maxReadBytes')
    expect(thrown(() => createSandbox({ mounts, defaultMount: 'b' }))).toMatch('defaultMount b')
    expect(thrown(() => createSandbox({ mounts: [{ ...mounts[0], mode: 'r' } as never] }))).toMatch(
      'ro or rw',
    )
  })
})

describe('withAccessCheck', () => {
  const refuse = { code: 'permission_denied', message: 'no', retryable: false } as const

  it('adds to the checks before it and takes none away', async () => {
    const { sandbox } = tree({ 'workspace/a': 'a' })
    const checked = sandbox.withAccessCheck(() => refuse).withAccessCheck(() => null)
    expectFailure(await checked.readFile('a'), 'permission_denied')
  })

  it('refuses what a check that throws was asked about', async () => {
    const { sandbox } = tree({ 'workspace/a': 'a' })
    const checked = sandbox.withAccessCheck(() => {
      throw new Error('secret')
    })
    for (const outcome of [
      await checked.readFile('a'),
      await checked.writeFile('a', 'b'),
      await checked.listFiles(),
    ])
      expectFailure(outcome, 'permission_denied')
  })

  it('tells no hash of what may be written and not be read', async () => {
    const { sandbox, workspace } = tree({ 'workspace/a': 'old' })
    const writer = sandbox.withAccessCheck((permission) => (permission === 'filesystemRead' ? refuse : null))
    expect(unwrap(await writer.writeFile('a', 'new'))).toMatchObject({ created: false, previousSha256: null })
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('new')
    expectFailure(await writer.writeFile('a', 'x', { expectedSha256: 'f'.repeat(64) }), 'permission_denied')
  })
})

describe('a sandbox that is closed', () => {
  it('answers operations with an error, and finishes those that run', async () => {
    const { base } = tree({ 'workspace/big': Buffer.alloc(30_000_000, 'some words\n') })
    mkdirSync(join(base, 'workspace', 'd'))
    const sandbox = createSandbox({ mounts: [{ name: 'workspace', dir: join(base, 'workspace') }] })
    const searching = sandbox.grepFiles('nothing[xyz]', { path: '.' })
    const reading = sandbox.readFile('big', { offset: 2_000_000 })
    sandbox.close()
    sandbox.close()
    expect(unwrap(await searching).filesScanned).toBe(1)
    expect(unwrap(await reading).startLine).toBe(2_000_000)
    for (const outcome of [
      await sandbox.readFile('big'),
      await sandbox.listFiles(),
      await sandbox.writeFile('x', ''),
    ])
      expectFailure(outcome, 'io_error')
  })
})
