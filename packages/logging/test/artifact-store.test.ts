import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createArtifactStore } from '@kgent/logging'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folder } from './fixture.ts'

const isRoot = process.getuid?.() === 0

describe('createArtifactStore', () => {
  it('keeps content under its hash and says path, size, hash and media type', async () => {
    const dir = join(folder(), 'archive', 'artifacts')
    const store = createArtifactStore({ dir })
    const content = JSON.stringify({ rows: 'ä'.repeat(10) })
    const sha256 = createHash('sha256').update(content).digest('hex')
    const path = `artifacts/${sha256.slice(0, 32)}.json`
    const bytes = Buffer.byteLength(content)
    expect(await store.put({ content, mediaType: 'application/json' })).toEqual({
      ok: true,
      value: { path, bytes, sha256, mediaType: 'application/json' },
    })
    expect(readFileSync(join(dir, path.slice('artifacts/'.length)), 'utf8')).toBe(content)
  })

  it('stores the same content once, at the same time, later, and as another media type', async () => {
    const parent = folder()
    const dir = join(parent, 'artifacts')
    const store = createArtifactStore({ dir })
    const many = await Promise.all(Array.from({ length: 20 }, () => store.put({ content: 'same' })))
    const later = await createArtifactStore({ dir }).put({ content: 'same', mediaType: 'application/json' })
    const paths = [...many, later].map((outcome) => outcome.ok && outcome.value.path)
    expect(new Set(paths).size).toBe(1)
    expect(readdirSync(dir)).toHaveLength(1)
    expect(readdirSync(parent)).toEqual(['artifacts'])
  })

  it('mends a file that has not the size of its content', async () => {
    const dir = folder()
    const stored = await createArtifactStore({ dir }).put({ content: 'whole content' })
    const file = join(dir, stored.ok ? stored.value.path.replace('artifacts/', '') : '')
    writeFileSync(file, 'who')
    await createArtifactStore({ dir }).put({ content: 'whole content' })
    expect(readFileSync(file, 'utf8')).toBe('whole content')
  })

  it('gives back every content byte for byte', async () => {
    const dir = folder()
    const store = createArtifactStore({ dir, mountName: 'big', durability: 'disk' })
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (content) => {
        const stored = await store.put({ content, mediaType: 'application/octet-stream' })
        if (!stored.ok) throw new Error(stored.error.message)
        expect(stored.value.path).toMatch(/^big\/[0-9a-f]{32}\.bin$/)
        expect(readFileSync(join(dir, stored.value.path.slice('big/'.length)))).toEqual(Buffer.from(content))
      }),
      { numRuns: 30 },
    )
  })

  it('names files by media type, and never by what a media type says', async () => {
    const dir = folder()
    const store = createArtifactStore({ dir })
    const types = [
      'text/markdown',
      'text/x-log; charset=utf-8',
      'application/ld+json',
      '../../etc',
      '__proto__',
      '',
    ]
    const names = await Promise.all(
      types.map((mediaType, n) => store.put({ content: `content ${n}`, mediaType })),
    )
    const endings = names.map((outcome) => outcome.ok && outcome.value.path.split('.').at(-1))
    expect(endings).toEqual(['md', 'txt', 'json', 'bin', 'bin', 'bin'])
    expect(readdirSync(dir)).toHaveLength(types.length)
  })

  it('answers with an error and never rejects: too large, not text, half a surrogate pair, folder gone', async () => {
    const dir = join(folder(), 'artifacts')
    const store = createArtifactStore({ dir, maxBytes: 10 })
    expect(await store.put({ content: 'x'.repeat(11) })).toMatchObject({
      error: { code: 'too_large', details: { bytes: 11 } },
    })
    expect(await store.put({ content: 'half \ud800' })).toMatchObject({ error: { code: 'invalid_encoding' } })
    expect(await store.put({ content: 5 as never })).toMatchObject({ error: { code: 'invalid_input' } })
    expect(await store.put(null as never)).toMatchObject({ ok: false })
    rmSync(dir, { recursive: true })
    const gone = await store.put({ content: 'text' })
    expect(gone).toMatchObject({ error: { code: 'io_error' } })
    expect(JSON.stringify(gone)).not.toContain(dir)
    mkdirSync(dir)
    expect(await store.put({ content: 'text' })).toMatchObject({ ok: true })
  })

  it.skipIf(isRoot)('says that access is denied (root may write everywhere)', async () => {
    const parent = folder()
    const store = createArtifactStore({ dir: join(parent, 'artifacts') })
    chmodSync(parent, 0o500)
    expect(await store.put({ content: 'text' })).toMatchObject({ error: { code: 'access_denied' } })
    chmodSync(parent, 0o700)
  })

  it('refuses a place where no folder can be made', () => {
    const dir = folder()
    writeFileSync(join(dir, 'file'), '')
    expect(() => createArtifactStore({ dir: join(dir, 'file', 'artifacts') })).toThrow('cannot be made')
  })
})
