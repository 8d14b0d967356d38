import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox, resolveSandboxPath } from '@kgent/sandbox'
import { describe, expect, it } from 'vitest'
import { CANARY, expectFailure, tree, unwrap } from './fixture.ts'

describe('paths', () => {
  it('a path without a mount means workspace, and /workspace/x is workspace/x', async () => {
    const { sandbox } = tree({ 'workspace/a/b.txt': 'b' })
    for (const path of [
      'a/b.txt',
      'workspace/a/b.txt',
      '/workspace/a/b.txt',
      './a//b.txt',
      'a/../a/./b.txt',
    ]) {
      expect(unwrap(await sandbox.readFile(path)).path).toBe('workspace/a/b.txt')
    }
    expect(unwrap(await sandbox.listFiles('.')).path).toBe('workspace')
  })

  it.each([
    ['', 'path_invalid'],
    ['  ', 'path_invalid'],
    ['~/x', 'path_invalid'],
    ['~root/x', 'path_invalid'],
    ['C:\\x', 'path_invalid'],
    ['C:x', 'path_invalid'],
    ['\\\\host\\share', 'path_invalid'],
    ['//host/share', 'path_invalid'],
    ['file:///etc/passwd', 'path_invalid'],
    ['a\0b', 'path_invalid'],
    ['a\ud800', 'path_invalid'],
    ['x'.repeat(10_000), 'path_invalid'],
    ['/etc/passwd', 'path_outside'],
    ['/', 'path_outside'],
    ['..', 'path_outside'],
    ['../outside/secret.txt', 'path_outside'],
    ['workspace/../outside/secret.txt', 'path_outside'],
    ['a/../../outside/secret.txt', 'path_outside'],
  ] as const)('%j is refused by name as %s', async (path, code) => {
    const { sandbox, base } = tree({ 'workspace/a/x': '' })
    for (const outcome of [
      await sandbox.readFile(path),
      await sandbox.writeFile(path, 'x'),
      await sandbox.listFiles(path),
    ]) {
      expectFailure(outcome, code, base)
    }
  })

  it('percent, backslash and dots within names are characters like any other', async () => {
    const { sandbox } = tree({
      'workspace/%2e%2e/a': '1',
      'workspace/x\\y': '2',
      'workspace/..foo/a..b': '3',
      'workspace/[...s]/p': '4',
    })
    for (const path of ['%2e%2e/a', 'x\\y', '..foo/a..b', '[...s]/p'])
      expect((await sandbox.readFile(path)).ok).toBe(true)
  })

  it('links that stay inside are followed and reported as their target; links that leave are refused', async () => {
    const { sandbox, workspace, base, outside } = tree({
      'workspace/real/a.txt': 'a',
      'inputs/doc.txt': 'doc',
    })
    symlinkSync('real', join(workspace, 'dir'))
    symlinkSync(join(workspace, 'real', 'a.txt'), join(workspace, 'absolute'))
    symlinkSync(join(base, 'inputs'), join(workspace, 'in'))
    symlinkSync(outside, join(workspace, 'out'))
    symlinkSync('../outside/secret.txt', join(workspace, 'leaf'))
    expect(unwrap(await resolveSandboxPath(sandbox, 'dir/a.txt')).path).toBe('workspace/real/a.txt')
    expect(unwrap(await sandbox.readFile('absolute')).path).toBe('workspace/real/a.txt')
    expect(unwrap(await sandbox.readFile('in/doc.txt')).path).toBe('inputs/doc.txt')
    expectFailure(await sandbox.writeFile('in/doc.txt', 'x'), 'read_only', base)
    expectFailure(await sandbox.readFile('out/secret.txt'), 'path_outside', base)
    expectFailure(await sandbox.readFile('leaf'), 'path_outside', base)
    expectFailure(await sandbox.writeFile('out/new.txt', 'x'), 'path_outside', base)
    expect(existsSync(join(outside, 'new.txt'))).toBe(false)
  })

  it('a write never goes through a link: linked parent, dangling last part, linked file', async () => {
    const { sandbox, workspace, outside } = tree()
    mkdirSync(join(outside, 'drop'))
    symlinkSync(join(outside, 'drop'), join(workspace, 'build'))
    symlinkSync(join(outside, 'later.md'), join(workspace, 'draft.md'))
    symlinkSync(join(outside, 'secret.txt'), join(workspace, 'notes.md'))
    for (const path of ['build/new/page.html', 'draft.md', 'notes.md'])
      expect((await sandbox.writeFile(path, 'x')).ok).toBe(false)
    expect(existsSync(join(outside, 'drop', 'new'))).toBe(false)
    expect(existsSync(join(outside, 'later.md'))).toBe(false)
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe(CANARY)
  })

  it('links in a circle end as an error', async () => {
    const { sandbox, workspace } = tree()
    symlinkSync('b', join(workspace, 'a'))
    symlinkSync('a', join(workspace, 'b'))
    expectFailure(await sandbox.readFile('a'), 'link_loop')
  })

  it('.. climbs the real folders, never out of the mount', async () => {
    const { sandbox, workspace, outside } = tree({
      'workspace/deep/er/x.txt': 'x',
      'workspace/deep/y.txt': 'y',
    })
    symlinkSync('deep/er', join(workspace, 'l'))
    symlinkSync(outside, join(workspace, 'o'))
    expect(unwrap(await sandbox.readFile('l/../y.txt')).path).toBe('workspace/deep/y.txt')
    expectFailure(await sandbox.readFile('o/../workspace/deep/y.txt'), 'path_outside')
  })

  it('a mount may be reached through a link, and swapping its folder afterwards gains nothing', async () => {
    const { base, outside } = tree({ 'workspace/a.txt': 'inside' })
    symlinkSync(join(base, 'workspace'), join(base, 'via'))
    const sandbox = createSandbox({ mounts: [{ name: 'docs', dir: join(base, 'via') }] })
    expect(unwrap(await sandbox.readFile('a.txt')).text).toBe('inside')
    renameSync(join(base, 'workspace'), join(base, 'moved'))
    symlinkSync(outside, join(base, 'workspace'))
    if (sandbox.guarantee === 'race-free')
      expect(unwrap(await sandbox.readFile('docs/a.txt')).text).toBe('inside')
    expect(JSON.stringify(await sandbox.readFile('docs/secret.txt'))).not.toContain('CANARY')
    sandbox.close()
  })

  it('FIFOs, sockets and devices are refused at once and never block', async () => {
    const { sandbox, workspace } = tree({ 'workspace/a.txt': 'hello' })
    execFileSync('mkfifo', [join(workspace, 'pipe')])
    expectFailure(await sandbox.readFile('pipe'), 'special_file')
    expectFailure(await sandbox.writeFile('pipe', 'x'), 'special_file')
    expect(unwrap(await sandbox.grepFiles('hello'))).toMatchObject({
      matchCount: 1,
      leftOut: { special: 1 },
    })
  })

  it('hard links: refused in writable mounts, read in read-only ones unless the mount forbids it', async () => {
    const { sandbox, base, workspace, outside } = tree()
    linkSync(join(outside, 'secret.txt'), join(workspace, 'h'))
    linkSync(join(outside, 'secret.txt'), join(base, 'inputs', 'h'))
    expectFailure(await sandbox.readFile('h'), 'hard_link')
    expectFailure(await sandbox.writeFile('h', 'pwn'), 'hard_link')
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe(CANARY)
    expect((await sandbox.readFile('inputs/h')).ok).toBe(true)
    const strict = createSandbox({
      mounts: [{ name: 'inputs', dir: join(base, 'inputs'), hardLinks: 'refuse' }],
    })
    expectFailure(await strict.readFile('inputs/h'), 'hard_link')
    expect(unwrap(await strict.grepFiles('CANARY', { path: 'inputs' }))).toMatchObject({
      matchCount: 0,
      leftOut: { hardLink: 1 },
    })
    strict.close()
  })

  it('a miss that differs only by case, space or accents names the near entry, unless a rule hides it', async () => {
    const { sandbox } = tree({ 'workspace/Café Notes.md': 'x' })
    const miss = await sandbox.readFile('cafe\u0301\u00a0notes.md')
    expect(miss).toMatchObject({
      ok: false,
      error: { code: 'not_found', hint: expect.stringContaining('workspace/Café Notes.md') },
    })
    const hidden = sandbox.withAccessCheck((_permission, path) =>
      path.includes('Café') ? { code: 'permission_denied', message: 'no', retryable: false } : null,
    )
    expect(JSON.stringify(await hidden.readFile('cafe notes.md'))).not.toContain('Café')
  })

  it('mounts with several segments form a virtual folder', async () => {
    const { base } = tree({ 'inputs/SKILL.md': 'x' })
    const sandbox = createSandbox({
      mounts: [
        { name: 'skills/one', dir: join(base, 'inputs') },
        { name: 'skills/two', dir: join(base, 'outside') },
      ],
    })
    expect(unwrap(await sandbox.listFiles('skills')).entries.map(({ path }) => path)).toEqual([
      'skills/one',
      'skills/two',
    ])
    expect(unwrap(await sandbox.readFile('skills/one/SKILL.md')).text).toBe('x')
    sandbox.close()
  })

  it('bad mounts stop the start with what to do', () => {
    const { base } = tree()
    const dir = join(base, 'inputs')
    expect(() => createSandbox({ mounts: [{ name: '../x', dir }] })).toThrow('plain segments')
    expect(() => createSandbox({ mounts: [{ name: 'a', dir: join(base, 'none') }] })).toThrow(
      'does not exist',
    )
    expect(() =>
      createSandbox({
        mounts: [
          { name: 'a', dir },
          { name: 'a/b', dir },
        ],
      }),
    ).toThrow('lie in each other')
  })
})
