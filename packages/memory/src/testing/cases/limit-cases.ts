import assert from 'node:assert/strict'
import { type CaseGroup, define, recallOrTyped } from '../kit.ts'

const ODD_LIMITS: { id: string; name: string; limit: unknown }[] = [
  { id: 'negative', name: 'a negative limit', limit: -1 },
  { id: 'fraction', name: 'a limit that is no whole number', limit: 1.5 },
  { id: 'nothing', name: 'no limit', limit: null },
  { id: 'no-number', name: 'a limit that is no number', limit: Number.NaN },
]

const STORED = 4

/** No answer is larger than what was asked for. */
export const limitCases: CaseGroup = (createClient) => [
  define(
    createClient,
    { id: 'limit/at-most', name: 'no more items come back than were asked for', needs: ['stores'] },
    async ({ store, recall, word }) => {
      for (let index = 0; index < STORED; index += 1) await store(`${word} fact ${index}`)
      assert.equal((await recall({ expect: STORED })).length, STORED)
      assert.equal((await recall({ limit: 2 })).length, 2)
      assert.equal((await recall({ limit: 1 })).length, 1)
    },
  ),
  define(
    createClient,
    { id: 'limit/zero', name: 'a limit of 0 gives nothing', needs: ['stores'] },
    async ({ store, recall, client, scope, word }) => {
      await store(`${word} is there`)
      await recall({ expect: 1 })
      assert.deepEqual((await recallOrTyped(() => client.recallMemory(word, scope, 0))) ?? [], [])
    },
  ),
  define(
    createClient,
    { id: 'limit/huge', name: 'a huge limit gives what there is', needs: ['stores'] },
    async ({ store, recall, word }) => {
      await store(`${word} is there`)
      assert.equal((await recall({ limit: 1e9, expect: 1 })).length, 1)
    },
  ),
  ...ODD_LIMITS.map(({ id, name, limit }) =>
    define(
      createClient,
      { id: `limit/${id}`, name: `${name} gives a bounded answer or a typed failure`, needs: ['stores'] },
      async ({ store, recall, client, scope, word }) => {
        for (let index = 0; index < STORED; index += 1) await store(`${word} fact ${index}`)
        await recall({ expect: STORED })
        const items = await recallOrTyped(() => client.recallMemory(word, scope, limit as number))
        const most = typeof limit === 'number' && limit > 0 ? Math.ceil(limit) : STORED
        assert.ok((items ?? []).length <= most)
        if (limit === -1) assert.deepEqual(items ?? [], [])
      },
    ),
  ),
]
