import { hash } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tree, unwrap } from './fixture.ts'

const KIB = 1024
/** Sizes at which a file is read in another way. */
const EDGES = [8 * KIB, 32 * KIB, 256 * KIB, 2048 * KIB]
const UNBOUNDED = { maxReadBytes: 8_192 * KIB, maxReadLines: 1_000_000, maxLineChars: 100_000 }

describe('readFile', () => {
  it('gives the whole text on both sides of every size at which files are read in another way', async () => {
    const { sandbox, workspace } = tree({}, UNBOUNDED)
    for (const size of EDGES.flatMap((edge) => [edge - 1, edge, edge + 1])) {
      const text = 'a line of text, with an ä in it\r\n'.repeat(size / 34).padEnd(size - 40, '.')
      writeFileSync(join(workspace, 'f.txt'), text)
      const read = unwrap(await sandbox.readFile('f.txt'))
      expect(read.text.length).toBe(text.length)
      expect(read.text === text).toBe(true)
      expect(read).toMatchObject({ totalBytes: Buffer.byteLength(text), truncated: false, nextOffset: null })
    }
  })

  it('tells hash and totals as the bytes have them, in every way of looking at the answer', async () => {
    const { sandbox, workspace } = tree({}, UNBOUNDED)
    for (const count of [1, 100, 20_000]) {
      const text = 'some words\n'.repeat(count)
      writeFileSync(join(workspace, 'f.txt'), text)
      const read = unwrap(await sandbox.readFile('f.txt'))
      const expected = { sha256: hash('sha256', text, 'hex'), totalLines: count, endLine: count, eol: 'lf' }
      expect(JSON.parse(JSON.stringify(read))).toMatchObject(expected)
      expect({ ...read }).toMatchObject(expected)
      expect(structuredClone(read)).toMatchObject(expected)
    }
  })

  it('is the same in one step, through a link, and with dots on the way', async () => {
    const lines = fc.array(fc.constantFrom('a', 'ß€', '\n', '\r\n', '\r', '', 'x'.repeat(50)), {
      maxLength: 20,
    })
    const { sandbox, workspace } = tree({}, { maxReadBytes: 120, maxLineChars: 40 })
    mkdirSync(join(workspace, 'd'))
    symlinkSync('d', join(workspace, 'link'))
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 1, max: 4 }), async (parts, limit) => {
        writeFileSync(join(workspace, 'd', 'f.txt'), parts.join(''))
        const direct = await sandbox.readFile('d/f.txt', { limit })
        expect(await sandbox.readFile('link/f.txt', { limit })).toEqual(direct)
        expect(await sandbox.readFile('link/../d/f.txt', { limit })).toEqual(direct)
      }),
      { numRuns: 200 },
    )
  })

  it('tells an access check the path, and reads nothing when it refuses', async () => {
    const { sandbox } = tree({ 'workspace/d/f.txt': 'text\n' })
    const asked: string[] = []
    const checked = sandbox.withAccessCheck((permission, path) => {
      asked.push(`${permission} ${path}`)
      return { code: 'permission_denied', message: 'Not this one.', retryable: false }
    })
    expect(await checked.readFile('d/f.txt')).toMatchObject({ error: { code: 'permission_denied' } })
    expect(asked).toEqual(['filesystemRead workspace/d/f.txt'])
  })
})
