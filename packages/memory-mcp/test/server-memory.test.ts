import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMcpMemoryClient, type McpMemoryClient } from '@kgent/memory-mcp'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'))

describe('@modelcontextprotocol/server-memory over its standard streams', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kgent-mcp-'))
  const file = join(folder, 'graph.jsonl')
  const connect = (): McpMemoryClient =>
    createMcpMemoryClient({
      command: process.execPath,
      args: [program],
      env: { MEMORY_FILE_PATH: file },
      preset: 'server-memory',
    })
  let client: McpMemoryClient

  beforeAll(() => {
    client = connect()
  })

  afterAll(async () => {
    await client.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const contents = async (query: string, scope: string, limit = 10): Promise<string[]> =>
    (await client.recallMemory(query, scope, limit)).map(({ content }) => content)

  it('gives back what was written: text, tags, provenance and time', async () => {
    const content = 'Mia’s favourite colour is blue 🟦\n第二行 "quoted" \0 half \ud83d'
    const metadata = { runId: 'run_1', nested: { deep: [1, null, 'ü'] } }
    const written = await client.writeMemory(content, 'round', ['colour'], { metadata })
    expect(written).toEqual({ status: 'written', id: expect.stringContaining('kgent-memory:'), error: null })
    expect(await client.recallMemory('favourite colour', 'round', 5)).toEqual([
      {
        id: written.id,
        content,
        scope: 'round',
        score: 1,
        metadata: { ...metadata, tags: ['colour'], createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
      },
    ])
  })

  it('is kept by the server: another client of the same file finds it', async () => {
    await client.writeMemory('kept for later', 'kept', [])
    const other = connect()
    expect(await other.recallMemory('later', 'kept', 5)).toHaveLength(1)
    await other.close()
  })

  it('loses none of many writes at once, though the server would', async () => {
    const writes = Array.from({ length: 50 }, (_, at) => client.writeMemory(`note ${at}`, 'many', []))
    expect((await Promise.all(writes)).every(({ status }) => status === 'written')).toBe(true)
    expect(await contents('note', 'many', 100)).toHaveLength(50)
  })

  it('stores concurrent writes with one key once', async () => {
    const writes = Array.from({ length: 10 }, (_, at) =>
      client.writeMemory(`variant ${at}`, 'once', [], { idempotencyKey: 'one' }),
    )
    const results = await Promise.all(writes)
    expect(results.map(({ status }) => status)).toEqual(['written', ...Array(9).fill('duplicate')])
    expect(new Set(results.map(({ id }) => id)).size).toBe(1)
    expect(await contents('variant', 'once')).toEqual(['variant 0'])
  })

  it('takes sha256 of scope, NUL and the normalised content as the key', async () => {
    await client.writeMemory('  Ｆull   width\n', 'key', [])
    const again = await client.writeMemory('Full width', 'key', [])
    const key = hash('sha256', 'key\0Full width')
    expect(again).toMatchObject({ status: 'duplicate', id: `kgent-memory:${hash('sha256', `key\0${key}`)}` })
    expect((await client.writeMemory('Full width', 'key/2', [])).status).toBe('written')
  })

  it('finds the best first, by words in any order and by tags', async () => {
    await client.writeMemory('the report of the week', 'rank', [])
    await client.writeMemory('the zebra', 'rank', ['report'])
    await client.writeMemory('something else', 'rank', [])
    expect(await contents('report ZEBRA', 'rank')).toEqual(['the zebra', 'the report of the week'])
    expect(await contents('zebra', 'rank', 1)).toEqual(['the zebra'])
    expect(await contents('some', 'rank')).toEqual(['something else'])
    expect(await contents('if', 'rank')).toEqual([])
    expect(await contents('eport', 'rank')).toHaveLength(2)
    expect(await contents('', 'rank')).toEqual([])
  })

  it('keeps scopes apart: prefixes, case, wildcards, spaces, composed and decomposed letters', async () => {
    const scopes = [
      'team',
      'team/a',
      'Team',
      'tea_',
      'te%',
      '%',
      '*',
      'team ',
      ' team',
      'té',
      'te\u0301',
      'a\0b',
      '\ud83d',
    ]
    for (const scope of scopes) await client.writeMemory(`secret of ${scope}`, scope, [])
    for (const scope of scopes) expect(await contents('secret', scope)).toEqual([`secret of ${scope}`])
    expect(await contents('secret', 'tea')).toEqual([])
  })

  it('keeps scopes apart, whatever they are called', async () => {
    const scope = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(scope, { minLength: 2, maxLength: 2 }),
        async ([one = '', other = '']) => {
          await client.writeMemory(`owned by ${one}`, `law/${one}`, [])
          const mine = await client.recallMemory('owned', `law/${one}`, 100)
          const found = await client.recallMemory('owned', `law/${other}`, 100)
          expect(mine.map(({ content }) => content)).toContain(`owned by ${one}`)
          expect(found.every((item) => item.scope === `law/${other}`)).toBe(true)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('shows nothing of what others keep in the same graph', async () => {
    const before = readFileSync(file, 'utf8')
    const foreign = {
      type: 'entity',
      name: 'Mia',
      entityType: 'person',
      observations: ['kgent-memory:shared secret'],
    }
    const broken = { type: 'entity', name: 'x', entityType: 'kgent-memory:shared', observations: [] }
    const edited = {
      type: 'entity',
      name: 'y',
      entityType: 'kgent-memory:shared',
      observations: ['secret note', '{'],
    }
    writeFileSync(
      file,
      [before, ...[foreign, broken, edited].map((entity) => JSON.stringify(entity))].join('\n'),
    )
    expect(await client.recallMemory('secret', 'shared', 10)).toEqual([
      { id: 'y', content: 'secret note', scope: 'shared', score: 1, metadata: {} },
    ])
  })

  it('returns at most the limit, and nothing for a limit that is no count', async () => {
    for (let at = 0; at < 6; at++) await client.writeMemory(`counted ${at}`, 'limit', [])
    expect(await contents('counted', 'limit', 5)).toHaveLength(5)
    expect(await contents('counted', 'limit', 2.9)).toHaveLength(2)
    expect(await contents('counted', 'limit', Number.POSITIVE_INFINITY)).toHaveLength(6)
    for (const limit of [0, -1, 0.5, Number.NaN, null as unknown as number]) {
      expect(await contents('counted', 'limit', limit)).toEqual([])
    }
  })

  it('refuses a missing scope and an item without text', async () => {
    for (const scope of ['', undefined as unknown as string]) {
      await expect(client.recallMemory('x', scope, 5)).rejects.toMatchObject({ code: 'memory_scope' })
      expect(await client.writeMemory('x', scope, [])).toMatchObject({
        status: 'error',
        error: { code: 'memory_scope' },
      })
    }
    const empty = await client.writeMemory(' \n', 'x', [])
    expect(empty).toMatchObject({ status: 'error', error: { code: 'memory_rejected' } })
  })

  it('says that the server refused when it cannot write its file', async () => {
    const broken = createMcpMemoryClient({
      command: process.execPath,
      args: [program],
      env: { MEMORY_FILE_PATH: join(folder, 'missing', 'folder', 'graph.jsonl') },
      preset: 'server-memory',
    })
    const result = await broken.writeMemory('x', 'broken', [])
    expect(result).toMatchObject({ status: 'error', error: { code: 'memory_rejected' } })
    expect(JSON.stringify(result)).not.toContain(folder)
    await broken.close()
  })
})
