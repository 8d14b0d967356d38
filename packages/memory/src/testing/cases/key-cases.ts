import assert from 'node:assert/strict'
import { type CaseGroup, define } from '../kit.ts'

/** Two writes with one key are one item. */
export const keyCases: CaseGroup = (createClient) => [
  define(
    createClient,
    {
      id: 'keys/again',
      name: 'a second write with the same key stores nothing new',
      needs: ['stores', 'idempotencyKeys'],
    },
    async ({ store, recall, word }) => {
      const first = await store(`${word} once`, { key: `key-${word}` })
      const second = await store(`${word} once`, { key: `key-${word}` })
      assert.equal((await recall({ expect: 1 })).length, 1)
      if (first.status === 'written') assert.equal(second.status, 'duplicate')
      if (first.id !== null && second.id !== null)
        assert.equal(second.id, first.id, 'a duplicate names the item')
    },
  ),
  define(
    createClient,
    {
      id: 'keys/together',
      name: 'writes with one key at the same time are one item',
      needs: ['stores', 'idempotencyKeys'],
    },
    async ({ store, recall, word }) => {
      const results = await Promise.all(
        Array.from({ length: 10 }, () => store(`${word} once`, { key: `key-${word}` })),
      )
      assert.equal((await recall({ expect: 1 })).length, 1)
      const written = results.filter(({ status }) => status === 'written').length
      assert.ok(written <= 1, `one write is “written”, the others are duplicates; ${written} were “written”`)
    },
  ),
  define(
    createClient,
    { id: 'keys/scope', name: 'one key in two scopes is two items', needs: ['stores', 'idempotencyKeys'] },
    async ({ store, recall, scope, word }) => {
      await store(`${word} here`, { key: `key-${word}` })
      await store(`${word} there`, { key: `key-${word}`, scope: `${scope}-two` })
      assert.equal((await recall({ expect: 1 })).length, 1)
      assert.equal((await recall({ scope: `${scope}-two`, expect: 1 })).length, 1)
    },
  ),
  define(
    createClient,
    { id: 'keys/different', name: 'two keys are two items', needs: ['stores', 'idempotencyKeys'] },
    async ({ store, recall, word }) => {
      await store(`${word} one`, { key: `one-${word}` })
      await store(`${word} two`, { key: `two-${word}` })
      assert.equal((await recall({ expect: 2 })).length, 2)
    },
  ),
  define(
    createClient,
    {
      id: 'keys/default',
      name: 'without a key, texts that differ in blanks or compatible characters are one item',
      needs: ['stores', 'idempotencyKeys'],
    },
    async ({ store, recall, word }) => {
      await store(`${word} is ﬁne`)
      await store(`  ${word}\n is   fine `)
      assert.equal((await recall({ expect: 1 })).length, 1)
    },
  ),
]
