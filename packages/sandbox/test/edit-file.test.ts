import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyPatch } from 'diff'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectFailure, tree, unwrap } from './fixture.ts'

const edit = (oldText: string, newText: string, replaceAll = false) => ({ oldText, newText, replaceAll })

describe('editFile', () => {
  it('makes all edits or none, and shows a diff', async () => {
    const { sandbox, workspace } = tree({ 'workspace/a.txt': 'one\ntwo\nthree\n' })
    const edited = unwrap(await sandbox.editFile('a.txt', [edit('one\ntwo', 'one\n2'), edit('three', '3')]))
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\n2\n3\n')
    expect(edited.replacements).toBe(2)
    expect(edited.diff).toBe(
      '--- workspace/a.txt\n+++ workspace/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+3\n',
    )
    const none = await sandbox.editFile('a.txt', [edit('one', 'x'), edit('absent', 'y')])
    expect(none).toMatchObject({ ok: false, error: { code: 'edit_no_match', details: { matches: 0 } } })
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toContain('one')
  })

  it('an ambiguous edit counts the matches and names their lines, unless all are meant', async () => {
    const { sandbox } = tree({ 'workspace/a': 'x\ny x\nx' })
    expect(await sandbox.editFile('a', [edit('x', 'y')])).toMatchObject({
      ok: false,
      error: { code: 'edit_ambiguous', details: { matches: 3, lines: [1, 2, 3] } },
    })
    expect(unwrap(await sandbox.editFile('a', [edit('x', 'y', true)])).replacements).toBe(3)
  })

  it('occurrences that overlap are ambiguous', async () => {
    const { sandbox } = tree({ 'workspace/a': 'aaa' })
    expectFailure(await sandbox.editFile('a', [edit('aa', 'b')]), 'edit_ambiguous')
  })

  it('every edit is matched against the file as it is: order is no matter, and edits that overlap are refused', async () => {
    const { sandbox, workspace } = tree({ 'workspace/a': 'foo bar\n', 'workspace/b': 'foo bar\n' })
    const edits = [edit('foo', 'bar'), edit('bar', 'foo')]
    unwrap(await sandbox.editFile('a', edits))
    unwrap(await sandbox.editFile('b', [...edits].reverse()))
    for (const name of ['a', 'b']) expect(readFileSync(join(workspace, name), 'utf8')).toBe('bar foo\n')
    const overlapping = await sandbox.editFile('a', [edit('bar f', 'x'), edit('foo', 'y')])
    expect(overlapping).toMatchObject({
      error: { code: 'edit_ambiguous', message: expect.stringContaining('overlap') },
    })
  })

  it.each([
    ['CRLF', 'one\r\ntwo\r\n', 'one\r\n2\r\n3\r\n'],
    ['lone CR', 'one\rtwo\r', 'one\r2\r3\r'],
    ['mixed ends', 'zero\none\r\ntwo\r\n', 'zero\none\r\n2\r\n3\r\n'],
    ['a mark', '\uFEFFone\ntwo\n', '\uFEFFone\n2\n3\n'],
  ])('keeps %s', async (_what, before, after) => {
    const { sandbox, workspace } = tree({ 'workspace/a': before })
    unwrap(await sandbox.editFile('a', [edit('one\ntwo', 'one\n2\n3')]))
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe(after)
  })

  it.each(['utf-16le', 'utf-16be'] as const)('keeps %s', async (encoding) => {
    const encode = (text: string) =>
      encoding === 'utf-16le' ? Buffer.from(text, 'utf16le') : Buffer.from(text, 'utf16le').swap16()
    const { sandbox, workspace } = tree({ 'workspace/a': encode('\uFEFFwide ß\n') })
    unwrap(await sandbox.editFile('a', [edit('ß', '漢')]))
    expect(readFileSync(join(workspace, 'a'))).toEqual(encode('\uFEFFwide 漢\n'))
  })

  it('says what is near a text that does not occur', async () => {
    const { sandbox } = tree({ 'workspace/a': 'first\nif (a)  {\n\treturn\n}\nLast Line\n' })
    const hintOf = async (oldText: string) => {
      const outcome = await sandbox.editFile('a', [edit(oldText, '')])
      return outcome.ok ? null : outcome.error.hint
    }
    expect(await hintOf('if (a) {\n  return')).toMatch(/^Lines 2–3 differ only in white space/)
    expect(await hintOf('last line')).toMatch(/line 5 differ only in upper and lower case/)
    expect(await hintOf('other words')).toMatch(/Read the file again/)
  })

  it('refuses what it cannot keep: binary, invalid text, lone surrogates, stale and missing files', async () => {
    const { sandbox } = tree({
      'workspace/binary': Buffer.from('a\0b'),
      'workspace/latin': Buffer.from([0x61, 0xe9, 10]),
      'workspace/a': 'abc',
    })
    expectFailure(await sandbox.editFile('binary', [edit('a', 'b')]), 'binary_file')
    expectFailure(await sandbox.editFile('latin', [edit('a', 'b')]), 'invalid_encoding')
    expectFailure(await sandbox.editFile('a', [edit('a', '\ud800')]), 'invalid_encoding')
    expectFailure(await sandbox.editFile('a', [edit('', 'x')]), 'invalid_input')
    expectFailure(await sandbox.editFile('a', []), 'invalid_input')
    expectFailure(await sandbox.editFile('none', [edit('a', 'b')]), 'not_found')
    expectFailure(
      await sandbox.editFile('a', [edit('a', 'b')], { expectedSha256: 'f'.repeat(64) }),
      'stale_file',
    )
  })

  it('asks about reading and about writing', async () => {
    const { sandbox } = tree({ 'workspace/a': 'abc' })
    for (const refused of ['filesystemRead', 'filesystemWrite']) {
      const checked = sandbox.withAccessCheck((permission) =>
        permission === refused ? { code: 'permission_denied', message: 'no', retryable: false } : null,
      )
      expectFailure(await checked.editFile('a', [edit('a', 'b')]), 'permission_denied')
    }
  })

  it('is linear for every file and every edit', async () => {
    const half = 'a'.repeat(50_000)
    const { sandbox } = tree({ 'workspace/a': 'a'.repeat(5_000_000) })
    expectFailure(await sandbox.editFile('a', [edit(`${half}b${half}`, 'x')]), 'edit_no_match')
    expectFailure(await sandbox.editFile('a', [edit(half, 'x')]), 'edit_ambiguous')
  })

  it('the diff turns the old text into the new one, whatever is replaced', async () => {
    const { sandbox, workspace } = tree()
    const line = fc.constantFrom('a\n', 'b\n', '\n', 'same\n', 'x y\n', 'end')
    const text = fc.array(line, { minLength: 1, maxLength: 40 }).map((lines) => lines.join(''))
    const newText = fc.constantFrom('', '\n', 'z', 'z\n', '\nz', 'a\nb\nc\n')
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(fc.tuple(fc.nat(120), fc.nat(6), newText), { maxLength: 4 }),
        async (before, cuts) => {
          await sandbox.writeFile('f', before)
          const edits = cuts.map(([start, length, added]) =>
            edit(before.slice(start, start + length + 1), added),
          )
          const outcome = await sandbox.editFile('f', edits)
          const after = readFileSync(join(workspace, 'f'), 'utf8')
          if (!outcome.ok) expect(after).toBe(before)
          else expect(outcome.value.diff === '' ? before : applyPatch(before, outcome.value.diff)).toBe(after)
        },
      ),
      { numRuns: 1_500 },
    )
  })
})
