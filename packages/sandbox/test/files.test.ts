import {
  chmodSync,
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { FileWindow } from '@kgent/sandbox'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectFailure, openSandbox, tree, unwrap } from './fixture.ts'

const SHAPES = fc
  .array(fc.constantFrom('a', 'line of text', '漢字', '👩‍🚀', '\n', '\r\n', '\r', '\t', '\uFEFF', ''), {
    maxLength: 30,
  })
  .map((parts) => parts.join(''))

describe('read and write', () => {
  it('read then write back is the identity, for every line end, mark and ending', async () => {
    const { sandbox, workspace } = tree()
    await fc.assert(
      fc.asyncProperty(SHAPES, async (text) => {
        writeFileSync(join(workspace, 'f.txt'), text)
        const read = unwrap(await sandbox.readFile('f.txt'))
        expect(read.text).toBe(text)
        unwrap(await sandbox.writeFile('f.txt', read.text, { expectedSha256: read.sha256 ?? '' }))
        expect(readFileSync(join(workspace, 'f.txt'), 'utf8')).toBe(text)
      }),
      { numRuns: 300 },
    )
  })

  it('joining the windows of a file gives back its text, whatever the bounds', async () => {
    await fc.assert(
      fc.asyncProperty(
        SHAPES,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 12, max: 60 }),
        async (text, limit, maxReadBytes) => {
          const { sandbox } = tree({ 'workspace/f.txt': text }, { maxReadBytes })
          let joined = ''
          let offset: number | null = 1
          let isCut = false
          while (offset !== null) {
            const window: FileWindow = unwrap(await sandbox.readFile('f.txt', { offset, limit }))
            expect(window.text).not.toContain('\uFFFD')
            expect(Buffer.byteLength(window.text)).toBeLessThanOrEqual(maxReadBytes)
            isCut ||= window.cutLines.length > 0
            joined += window.text
            offset = window.nextOffset
          }
          if (!isCut) expect(joined).toBe(text)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('empty, past the end and a single newline are three different facts', async () => {
    const { sandbox } = tree({
      'workspace/zero': '',
      'workspace/nl': '\n',
      'workspace/five': '1\n2\n3\n4\n5\n',
    })
    expect(unwrap(await sandbox.readFile('zero'))).toMatchObject({
      text: '',
      startLine: 0,
      totalLines: 0,
      totalBytes: 0,
      truncated: false,
    })
    expect(unwrap(await sandbox.readFile('nl'))).toMatchObject({
      text: '\n',
      startLine: 1,
      endLine: 1,
      totalLines: 1,
    })
    expect(await sandbox.readFile('five', { offset: 100 })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('has 5 lines') },
    })
    expectFailure(await sandbox.readFile('five', { limit: 0 }), 'invalid_input')
  })

  it('line ends, marks and encodings are said, and invalid text is never replaced quietly', async () => {
    const { sandbox } = tree({
      'workspace/crlf': 'a\r\nb\r\n',
      'workspace/mixed': 'a\r\nb\n',
      'workspace/bom': '\uFEFFa\n',
      'workspace/wide': Buffer.from('\uFEFFwide ß\n', 'utf16le'),
      'workspace/latin': Buffer.from([0x63, 0x61, 0x66, 0xe9, 10]),
      'workspace/image.txt': Buffer.from('89504e470d0a1a0a00', 'hex'),
      'workspace/zeros': Buffer.alloc(100),
    })
    expect(unwrap(await sandbox.readFile('crlf')).eol).toBe('crlf')
    expect(unwrap(await sandbox.readFile('mixed')).eol).toBe('mixed')
    expect(unwrap(await sandbox.readFile('bom')).bom).toBe(true)
    expect(unwrap(await sandbox.readFile('wide'))).toMatchObject({
      text: '\uFEFFwide ß\n',
      encoding: 'utf-16le',
    })
    expectFailure(await sandbox.readFile('latin'), 'invalid_encoding')
    expect(await sandbox.readFile('image.txt')).toMatchObject({
      error: { code: 'binary_file', details: { mediaType: 'image/png', bytes: 9 } },
    })
    expectFailure(await sandbox.readFile('zeros'), 'binary_file')
  })

  it('a window into a file of any size costs the window', async () => {
    const { sandbox, workspace } = tree({ 'workspace/big.txt': 'first\nsecond\n' })
    const descriptor = openSync(join(workspace, 'big.txt'), 'r+')
    writeSync(descriptor, `${'x'.repeat(80)}\n`.repeat(20_000), 13)
    ftruncateSync(descriptor, 5_000_000_000)
    closeSync(descriptor)
    const before = process.memoryUsage().rss
    expect(unwrap(await sandbox.readFile('big.txt', { limit: 2 }))).toMatchObject({
      text: 'first\nsecond\n',
      totalLines: null,
      sha256: null,
      totalBytes: 5_000_000_000,
      nextOffset: 3,
    })
    expect(unwrap(await sandbox.readFile('big.txt', { offset: 15_000, limit: 1 })).text).toBe(
      `${'x'.repeat(80)}\n`,
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })

  it('long lines are cut at a character edge and said', async () => {
    const { sandbox } = tree({ 'workspace/long': `${'漢'.repeat(3_000)}\nend\n` })
    const read = unwrap(await sandbox.readFile('long'))
    expect(read.text).toBe(`${'漢'.repeat(2_000)}\nend\n`)
    expect(read).toMatchObject({ truncated: true, cutLines: [{ line: 1, chars: 3_000 }], nextOffset: null })
  })
})

describe('write', () => {
  it('creates parents, replaces whole, keeps the mode and tells the hashes', async () => {
    const { sandbox, workspace } = tree()
    const first = unwrap(await sandbox.writeFile('x/y/z.sh', 'one'))
    expect(first).toMatchObject({ path: 'workspace/x/y/z.sh', created: true, previousSha256: null, bytes: 3 })
    chmodSync(join(workspace, 'x/y/z.sh'), 0o750)
    const second = unwrap(await sandbox.writeFile('x/y/z.sh', 'two'))
    expect(second).toMatchObject({ created: false, previousSha256: first.sha256 })
    expect(statSync(join(workspace, 'x/y/z.sh')).mode & 0o777).toBe(0o750)
  })

  it('a stale write is refused when a hash is given', async () => {
    const { sandbox, workspace } = tree({ 'workspace/a': 'old' })
    const { sha256 } = unwrap(await sandbox.readFile('a'))
    writeFileSync(join(workspace, 'a'), 'changed by someone')
    expectFailure(await sandbox.writeFile('a', 'mine', { expectedSha256: sha256 ?? '' }), 'stale_file')
    expectFailure(await sandbox.writeFile('new', 'mine', { expectedSha256: sha256 ?? '' }), 'stale_file')
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('changed by someone')
  })

  it('what cannot be written is refused, and nothing is left behind', async () => {
    const { sandbox, workspace } = tree(
      { 'workspace/d/x': '', 'workspace/file': 'f', 'inputs/a': 'a' },
      { maxWriteBytes: 100 },
    )
    expectFailure(await sandbox.writeFile('d', 'x'), 'not_a_file')
    expectFailure(await sandbox.writeFile('file/child', 'x'), 'not_a_directory')
    expectFailure(await sandbox.writeFile('inputs/a', 'x'), 'read_only')
    expectFailure(await sandbox.writeFile('big', 'x'.repeat(101)), 'too_large')
    expectFailure(await sandbox.writeFile('s', 'a\ud800b'), 'invalid_encoding')
    chmodSync(join(workspace, 'file'), 0o444)
    expectFailure(await sandbox.writeFile('file', 'x'), 'read_only')
    expect(readdirSync(workspace).sort()).toEqual(['d', 'file'])
  })

  it('what a dead writer left is never shown, cannot be named, and is swept at the next start', async () => {
    const left = '.kgent-write-999999999-abcdefgh'
    const { sandbox, base, workspace } = tree()
    writeFileSync(join(workspace, left), 'half')
    expect(unwrap(await sandbox.listFiles()).entries).toEqual([])
    expectFailure(await sandbox.readFile(left), 'path_invalid')
    openSandbox(base)
    expect(readdirSync(workspace)).toEqual([])
  })

  it('parallel writers: one wins whole', async () => {
    const { sandbox, workspace } = tree()
    await Promise.all(['A', 'B', 'C'].map((letter) => sandbox.writeFile('f', letter.repeat(100_000))))
    expect(readFileSync(join(workspace, 'f'), 'utf8')).toMatch(/^(A+|B+|C+)$/)
  })
})
