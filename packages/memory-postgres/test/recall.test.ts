import { migrate } from '@kgent/memory-postgres'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { serverBinaries, skipReason } from './postgres-server.ts'
import { startedClient } from './started-client.ts'

describe.skipIf(!serverBinaries)(`recalling from PostgreSQL${skipReason}`, () => {
  const started = startedClient()
  const contents = async (query: string, scope: string, limit = 10): Promise<string[]> =>
    (await started.client.recallMemory(query, scope, limit)).map(({ content }) => content)
  const store = async (scope: string, ...items: string[]): Promise<void> => {
    for (const content of items) await started.client.writeMemory(content, scope, [])
  }

  it('gives back what was written: text, tags, provenance and time', async () => {
    const content = 'Mia’s favourite colour is blue 🟦\n第二行\ttab'
    const metadata = { runId: 'run_1', nested: { deep: [1, null, 'ü'] } }
    const written = await started.client.writeMemory(content, 'round', ['colour', 'mia'], { metadata })
    expect(written).toEqual({ status: 'written', id: expect.stringMatching(/^[0-9a-f-]{36}$/), error: null })
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
    expect(await started.client.recallMemory('favourite colour', 'round', 5)).toEqual([
      {
        id: written.id,
        content,
        scope: 'round',
        score: expect.any(Number),
        metadata: { ...metadata, tags: ['colour', 'mia'], createdAt },
      },
    ])
  })

  it('finds words in spite of a typing slip', async () => {
    await store('slip', 'Deployments go to the region eu-central-1', 'The invoice is sent on Fridays')
    expect(await contents('depolyment regoin', 'slip')).toEqual(['Deployments go to the region eu-central-1'])
    expect(await contents('invioce', 'slip')).toEqual(['The invoice is sent on Fridays'])
    expect(await contents('zebra', 'slip')).toEqual([])
  })

  it('finds words by their beginning and by a tag', async () => {
    await started.client.writeMemory('Backups run at night', 'begin', ['operations'])
    expect(await contents('back', 'begin')).toEqual(['Backups run at night'])
    expect(await contents('operations', 'begin')).toEqual(['Backups run at night'])
  })

  it('puts items with all words first, then those with the rarer words', async () => {
    const common = Array.from({ length: 20 }, (_, at) => `the report of the week ${at}`)
    await store('order', ...common, 'the zebra report', 'a zebra')
    const found = await started.client.recallMemory('zebra report', 'order', 4)
    expect(found.slice(0, 2).map(({ content }) => content)).toEqual(['the zebra report', 'a zebra'])
    const scores = found.map(({ score }) => score ?? 0)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true)
  })

  it('finds parts of texts in scripts without spaces, and signs that are no word', async () => {
    await store('script', '私は東京に住んでいます', 'launch 🚀 at noon', 'Ürün Größe прив́ет')
    expect(await contents('東京', 'script')).toEqual(['私は東京に住んでいます'])
    expect(await contents('🚀', 'script')).toEqual(['launch 🚀 at noon'])
    expect(await contents('größe', 'script')).toEqual(['Ürün Größe прив́ет'])
  })

  it('finds letters beyond ASCII in a database of the C locale', async () => {
    await started.admin.query(`create database plain template template0 lc_collate 'C' lc_ctype 'C'`)
    const client = started.connect({ connectionString: started.server.url('plain') })
    await migrate(client)
    await client.writeMemory('die größe der 東京 bahn', 'locale', [])
    for (const query of ['größe', '東京', 'grös', 'bahm']) {
      expect(await client.recallMemory(query, 'locale', 5)).toHaveLength(1)
    }
  })

  it('takes the query as words, not as a query language or a pattern', async () => {
    await store('plain', 'run node --test with -fast', 'nothing else')
    expect(await contents('node -fast', 'plain')).toEqual(['run node --test with -fast'])
    for (const query of ['%', '_', '%%', '___', '*', '\\', "'", '!', '&', ':*']) {
      expect(await contents(query, 'plain')).toEqual([])
    }
    expect(await contents('', 'plain')).toEqual([])
    expect(await contents('  \n', 'plain')).toEqual([])
  })

  it('answers every query without a fault, and only from its scope', async () => {
    await store('any', "it's C:\\temp\\a 'quoted' text & more", 'https://example.org/a?b=c e@mail.org')
    const words = fc.constantFrom(
      "it's",
      "'quoted'",
      '\\temp',
      "o'\\'x",
      'https://example.org/a',
      '\0',
      '\ud800',
    )
    const query = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.array(words).map((all) => all.join(' ')),
    )
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const items = await started.client.recallMemory(text, 'any', 3)
        expect(items.length).toBeLessThanOrEqual(2)
        expect(items.every(({ scope }) => scope === 'any')).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  it('returns at most the limit, and nothing for a limit that is no count', async () => {
    await store('limit', ...Array.from({ length: 12 }, (_, at) => `counted ${at}`))
    expect(await contents('counted', 'limit', 5)).toHaveLength(5)
    expect(await contents('counted', 'limit', 2.9)).toHaveLength(2)
    expect(await contents('counted', 'limit', Number.MAX_SAFE_INTEGER)).toHaveLength(12)
    expect(await contents('counted', 'limit', Number.POSITIVE_INFINITY)).toHaveLength(12)
    for (const limit of [0, -1, 0.5, Number.NaN, null as unknown as number]) {
      expect(await contents('counted', 'limit', limit)).toEqual([])
    }
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
      'ｔeam',
      '团队',
    ]
    for (const scope of scopes) await store(scope, `secret of ${scope}`)
    for (const scope of scopes) expect(await contents('secret', scope)).toEqual([`secret of ${scope}`])
    expect(await contents('secret', 'tea')).toEqual([])
  })

  it('keeps scopes apart, whatever they are called', async () => {
    const scope = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((text) => !text.includes('\0'))
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(scope, { minLength: 2, maxLength: 2 }),
        async ([one = '', other = '']) => {
          await store(`law/${one}`, `owned by ${one}`)
          const found = await started.client.recallMemory('owned', `law/${other}`, 100)
          expect(found.every((item) => item.scope === `law/${other}`)).toBe(true)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('refuses a scope that is missing or that cannot be told apart from others', async () => {
    for (const scope of ['', 'a\0b', 'half \ud83d', 'x'.repeat(2_001), undefined as unknown as string]) {
      await expect(started.client.recallMemory('anything', scope, 5)).rejects.toMatchObject({
        code: 'memory_scope',
      })
      const written = await started.client.writeMemory('anything', scope, [])
      expect(written).toMatchObject({ status: 'error', id: null, error: { code: 'memory_scope' } })
    }
  })
})
