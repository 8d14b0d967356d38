import assert from 'node:assert/strict'
import { type CaseGroup, define, recallOrTyped } from '../kit.ts'

/** How another scope may look that must see nothing. */
const OTHER_SCOPES: { id: string; name: string; of: (scope: string) => string }[] = [
  { id: 'other', name: 'another scope', of: (scope) => `other-${scope}` },
  { id: 'prefix', name: 'the beginning of a scope', of: (scope) => scope.slice(0, -1) },
  { id: 'longer', name: 'a scope that begins alike', of: (scope) => `${scope}-b` },
  { id: 'case', name: 'the same letters in another case', of: (scope) => scope.toUpperCase() },
  { id: 'blank', name: 'the same scope with a blank after it', of: (scope) => `${scope} ` },
  { id: 'star', name: 'a star', of: () => '*' },
  { id: 'percent', name: 'the wildcards of SQL', of: (scope) => `${scope.slice(0, 6)}%` },
  { id: 'underscore', name: 'a wildcard for one character', of: (scope) => `${scope.slice(0, -1)}_` },
  { id: 'child', name: 'a scope below', of: (scope) => `${scope}/child` },
  {
    id: 'compatible',
    name: 'characters that Unicode calls compatible',
    of: (scope) => scope.replace('kit', 'ｋit'),
  },
]

/** Scope is the boundary: nothing crosses it, however another scope is spelled. */
export const isolationCases: CaseGroup = (createClient) => [
  ...OTHER_SCOPES.map(({ id, name, of }) =>
    define(
      createClient,
      { id: `isolation/${id}`, name: `${name} shows nothing of a scope`, needs: ['stores'] },
      async ({ client, store, recall, scope, word }) => {
        await store(`${word} belongs to one scope`)
        assert.equal((await recall({ expect: 1 })).length, 1)
        const seen = await recallOrTyped(() => client.recallMemory(word, of(scope), 20))
        assert.deepEqual(seen ?? [], [])
      },
    ),
  ),
  define(
    createClient,
    { id: 'isolation/empty', name: 'an empty scope is no scope, and never all of them', needs: ['stores'] },
    async ({ client, store, recall, word }) => {
      await store(`${word} belongs to one scope`)
      await recall({ expect: 1 })
      assert.deepEqual((await recallOrTyped(() => client.recallMemory(word, '', 20))) ?? [], [])
      const written = await client.writeMemory(`${word} without a scope`, '', [])
      assert.ok(['error', 'blocked'].includes(written.status), 'a write without a scope is refused')
    },
  ),
  define(
    createClient,
    {
      id: 'isolation/accents',
      name: 'composed and decomposed letters are two scopes or one, never half',
      needs: ['stores'],
    },
    async ({ client, store, recall, scope, word }) => {
      const composed = `${scope}-\u00e9`
      await store(`${word} composed`, { scope: composed })
      assert.equal((await recall({ scope: composed, expect: 1 })).length, 1)
      const seen = (await recallOrTyped(() => client.recallMemory(word, `${scope}-e\u0301`, 20))) ?? []
      for (const item of seen)
        assert.equal(item.scope, `${scope}-e\u0301`, 'an item names the scope that was asked for')
    },
  ),
  define(
    createClient,
    { id: 'isolation/same-content', name: 'the same text in two scopes is two items', needs: ['stores'] },
    async ({ store, recall, scope, word }) => {
      const content = `${word} is known to two`
      await store(content)
      await store(content, { scope: `${scope}-two` })
      assert.equal((await recall({ expect: 1 })).length, 1)
      assert.equal((await recall({ scope: `${scope}-two`, expect: 1 })).length, 1)
    },
  ),
]
