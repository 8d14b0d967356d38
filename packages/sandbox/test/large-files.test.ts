import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileWindow } from '@kgent/sandbox'
import { describe, expect, it } from 'vitest'
import { expectFailure, tree, unwrap } from './fixture.ts'

const COUNT = 120_000
const row = (index: number) => `row ${index} of a large file, with ß and 漢字`
const rows = (end: string) => Array.from({ length: COUNT }, (_, index) => row(index + 1) + end).join('')
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')

describe('a window into a large file', () => {
  it.each([
    ['LF', Buffer.from(rows('\n')), '\n'],
    ['CRLF', Buffer.from(rows('\r\n')), '\r\n'],
    ['lone CR', Buffer.from(rows('\r')), '\r'],
    ['UTF-16 little endian', utf16(rows('\n')), '\n'],
    ['UTF-16 big endian', utf16(rows('\n')).swap16(), '\n'],
  ])('begins at the line that was asked for: %s', async (_what, bytes, end) => {
    const { sandbox, workspace } = tree()
    writeFileSync(join(workspace, 'f'), bytes)
    for (const offset of [2, 3_000, 77_777, COUNT - 1]) {
      const read = unwrap(await sandbox.readFile('f', { offset, limit: 2 }))
      expect(read.text).toBe(row(offset) + end + row(offset + 1) + end)
      expect(read).toMatchObject({ startLine: offset, endLine: offset + 1, totalLines: null, sha256: null })
    }
    expect(unwrap(await sandbox.readFile('f', { offset: COUNT })).nextOffset).toBe(null)
    expectFailure(await sandbox.readFile('f', { offset: COUNT + 2 }), 'invalid_input')
  })

  it('goes on from window to window without a gap', async () => {
    const { sandbox } = tree({ 'workspace/f': rows('\n') })
    let joined = ''
    for (let offset: number | null = 1; offset !== null; ) {
      const window: FileWindow = unwrap(await sandbox.readFile('f', { offset }))
      joined += window.text
      offset = window.nextOffset
    }
    expect(joined === rows('\n')).toBe(true)
  })

  it('is cancelled on the way to its first line', async () => {
    const { sandbox } = tree({ 'workspace/f': Buffer.alloc(80_000_000, 'a\n') })
    const controller = new AbortController()
    setImmediate(() => controller.abort())
    expectFailure(await sandbox.readFile('f', { offset: 39_999_000, signal: controller.signal }), 'aborted')
  })

  it('is not valid when a character of it is not, and is when another window has the fault', async () => {
    const bytes = Buffer.from(rows('\n'))
    bytes[bytes.length - 3] = 0xff
    const { sandbox } = tree({ 'workspace/f': bytes })
    expect(unwrap(await sandbox.readFile('f')).startLine).toBe(1)
    expectFailure(await sandbox.readFile('f', { offset: COUNT }), 'invalid_encoding')
  })
})
