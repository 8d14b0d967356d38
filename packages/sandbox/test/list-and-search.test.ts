import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorInfo } from '@kgent/contracts'
import { describe, expect, it } from 'vitest'
import { expectFailure, tree, unwrap } from './fixture.ts'

const denySecret = (_permission: string, path: string) =>
  path.includes('secret') ? errorInfo('permission_denied', 'a rule hides it') : null

describe('list', () => {
  it('is sorted by path, with type, size, time and link targets', async () => {
    const { sandbox, workspace, outside } = tree({
      'workspace/a/b.txt': '1',
      'workspace/a.txt': '22',
      'workspace/z': '',
    })
    symlinkSync('a.txt', join(workspace, 'in'))
    symlinkSync(outside, join(workspace, 'out'))
    const { entries } = unwrap(await sandbox.listFiles('workspace', { recursive: true }))
    expect(entries.map(({ path }) => path)).toEqual(
      ['a', 'a.txt', 'a/b.txt', 'in', 'out', 'z'].map((path) => `workspace/${path}`),
    )
    expect(entries[1]).toMatchObject({ type: 'file', bytes: 2, modifiedAt: expect.stringMatching(/Z$/) })
    expect(entries[3]).toMatchObject({ type: 'link', target: 'workspace/a.txt' })
    expect(entries[4]).toMatchObject({ type: 'link', target: null })
  })

  it('stops at the limit and says so; glob matches names, or paths where it has a slash', async () => {
    const { sandbox } = tree({
      'workspace/1.ts': '',
      'workspace/2.ts': '',
      'workspace/s/3.ts': '',
      'workspace/s/4.md': '',
    })
    expect(unwrap(await sandbox.listFiles('.', { limit: 2 }))).toMatchObject({
      truncated: true,
      entries: { length: 2 },
    })
    const names = async (glob: string) =>
      unwrap(await sandbox.listFiles('.', { recursive: true, glob })).entries.map(({ path }) => path)
    expect(await names('*.ts')).toEqual(['workspace/1.ts', 'workspace/2.ts', 'workspace/s/3.ts'])
    expect(await names('s/**')).toContain('workspace/s/4.md')
  })

  it('missing, a file, and left out by a rule are different answers', async () => {
    const { sandbox } = tree({ 'workspace/secret/x': '1', 'workspace/a': '' })
    expectFailure(await sandbox.listFiles('none'), 'not_found')
    expectFailure(await sandbox.listFiles('a'), 'not_a_directory')
    const guarded = sandbox.withAccessCheck(denySecret)
    expect(unwrap(await guarded.listFiles('.', { recursive: true }))).toMatchObject({
      entries: [{ path: 'workspace/a' }],
      leftOut: { denied: 1 },
    })
    expectFailure(await guarded.listFiles('secret'), 'permission_denied')
  })
})

describe('search', () => {
  it('finds lines with column, whoever wrote the file', async () => {
    const { sandbox } = tree({
      'workspace/crlf.txt': 'alpha done\r\nbeta\r\ngamma done\r\n',
      'workspace/bom.txt': '\uFEFFalpha done\n',
      'workspace/wide.txt': Buffer.from('\uFEFFalpha done\n', 'utf16le'),
      'workspace/latin.txt': Buffer.concat([
        Buffer.from('// caf'),
        Buffer.from([0xe9]),
        Buffer.from('\nint x done'),
      ]),
    })
    const found = async (pattern: string) =>
      unwrap(await sandbox.grepFiles(pattern)).matches.map(
        ({ path, line, column }) => `${path.slice(10)}:${line}:${column}`,
      )
    expect(await found('done$')).toEqual([
      'bom.txt:1:7',
      'crlf.txt:1:7',
      'crlf.txt:3:7',
      'latin.txt:2:7',
      'wide.txt:1:7',
    ])
    expect(await found('^alpha')).toEqual(['bom.txt:1:1', 'crlf.txt:1:1', 'wide.txt:1:1'])
    expect(await found('int x')).toEqual(['latin.txt:2:1'])
  })

  it('a literal, alternatives of literals, and the same as an expression agree', async () => {
    const text = Array.from({ length: 500 }, (_, i) =>
      i % 7 === 0 ? `row ${i} TODO: x` : i % 11 === 0 ? `FIXME ${i}` : `row ${i}`,
    ).join('\n')
    const { sandbox } = tree({ 'workspace/a.txt': text })
    const lines = async (pattern: string, options = {}) =>
      unwrap(await sandbox.grepFiles(pattern, options)).matches.map(({ line, column }) => [line, column])
    expect(await lines('TODO|FIXME')).toEqual(await lines('(?:TODO|FIXME)'))
    expect(await lines('TODO', { literal: true })).toEqual(await lines('TOD[O]'))
    expect(await lines('todo', { ignoreCase: true })).toEqual(await lines('TODO'))
  })

  it('is linear for every pattern, and a bad one is an error that says what to do', async () => {
    const { sandbox } = tree({ 'workspace/a.txt': `${'a'.repeat(50_000)}!\n` })
    expect(unwrap(await sandbox.grepFiles('(a+)+$')).matchCount).toBe(0)
    for (const pattern of ['([a-z', '*', '(?=x)', '(a)\\1'])
      expectFailure(await sandbox.grepFiles(pattern), 'invalid_pattern')
  })

  it('is bounded, and every bound that was hit is said', async () => {
    const { sandbox } = tree({ 'workspace/a.txt': `${'x'.repeat(2_000)} needle\n`.repeat(600) })
    const result = unwrap(await sandbox.grepFiles('needle', { limit: 5 }))
    expect(result).toMatchObject({ truncated: true, limitsHit: ['lineChars', 'matches'], matchCount: 5 })
    for (const { text, cut } of result.matches)
      expect([text.includes('needle'), text.length <= 500, cut]).toEqual([true, true, true])
  })

  it('no match, missing, and left out are different answers', async () => {
    const { sandbox, workspace } = tree({
      'workspace/src/a.ts': 'needle',
      'workspace/secret.txt': 'needle',
      'workspace/b.bin': Buffer.from('needle\0'),
    })
    symlinkSync('src', join(workspace, 'link'))
    expectFailure(await sandbox.grepFiles('needle', { path: 'srcc' }), 'not_found')
    expect(unwrap(await sandbox.grepFiles('nothing-here', { path: 'src' }))).toMatchObject({
      matchCount: 0,
      filesScanned: 1,
    })
    const result = unwrap(await sandbox.withAccessCheck(denySecret).grepFiles('needle'))
    expect(result.matches.map(({ path }) => path)).toEqual(['workspace/src/a.ts'])
    expect(result.leftOut).toEqual({ denied: 1, binary: 1, link: 1 })
  })

  it('gives counts, files and context', async () => {
    const { sandbox } = tree({ 'workspace/a': '1\nhit\n2\nhit\n3\n', 'workspace/b': 'hit' })
    expect(unwrap(await sandbox.grepFiles('hit', { output: 'count' })).files).toEqual([
      { path: 'workspace/a', count: 2 },
      { path: 'workspace/b', count: 1 },
    ])
    expect(unwrap(await sandbox.grepFiles('hit', { output: 'files' })).files.map(({ path }) => path)).toEqual(
      ['workspace/a', 'workspace/b'],
    )
    expect(
      unwrap(await sandbox.grepFiles('hit', { path: 'a', context: 1, limit: 1 })).matches[0],
    ).toMatchObject({ before: ['1'], after: ['2'] })
  })

  it('obeys an abort', async () => {
    const { sandbox, workspace } = tree()
    mkdirSync(join(workspace, 'm'))
    for (let i = 0; i < 50; i += 1) writeFileSync(join(workspace, 'm', `${i}.txt`), 'x\n')
    expectFailure(await sandbox.grepFiles('y', { signal: AbortSignal.abort() }), 'aborted')
  })
})
