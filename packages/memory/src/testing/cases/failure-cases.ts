import assert from 'node:assert/strict'
import { assertWriteResult, type CaseGroup, define, recallOrTyped } from '../kit.ts'

const ODD_QUERIES = [
  '%',
  '_',
  '*',
  '"',
  "'; DROP TABLE items; --",
  '((',
  '\\',
  'a & | !',
  ':*',
  '\u0000',
  '\ud800',
  ' ',
  '日本',
]

/** Failures are typed and bounded; nothing hangs. */
export const failureCases: CaseGroup = (createClient) => [
  define(
    createClient,
    { id: 'failure/odd-queries', name: 'characters that mean something to a search engine are text' },
    async ({ client, scope }) => {
      for (const query of [...ODD_QUERIES, 'word '.repeat(400)]) {
        await recallOrTyped(() => client.recallMemory(query, scope, 5))
      }
    },
  ),
  define(
    createClient,
    { id: 'failure/odd-writes', name: 'a write never rejects, whatever it is given' },
    async ({ client, scope, word }) => {
      const contents = ['', ' \n\t', `${word} \u0000`, `${word} \ud800`, `${word} ${'long '.repeat(2_000)}`]
      for (const content of contents) assertWriteResult(await client.writeMemory(content, scope, []))
      assertWriteResult(await client.writeMemory(`${word} tags`, scope, ['a'.repeat(300), '', '"', '日本']))
    },
  ),
  define(
    createClient,
    { id: 'failure/empty', name: 'a text without a character is not stored', needs: ['stores'] },
    async ({ client, scope, store, recall, word }) => {
      for (const content of ['', ' \n\t']) {
        const { status } = await client.writeMemory(content, scope, [])
        assert.ok(['error', 'blocked'].includes(status), `an empty text is refused, not “${status}”`)
      }
      await store(`${word} is there`)
      for (const { content } of await recall({ expect: 1 })) assert.notEqual(content.trim(), '')
    },
  ),
  define(
    createClient,
    { id: 'failure/aborted-recall', name: 'a recall that was cancelled before finds nothing, or says so' },
    async ({ client, scope, word }) => {
      const items = await recallOrTyped(() =>
        client.recallMemory(word, scope, 5, { signal: AbortSignal.abort() }),
      )
      assert.deepEqual(items ?? [], [])
    },
  ),
  define(
    createClient,
    { id: 'failure/aborted-write', name: 'a write that was cancelled before stores nothing' },
    async ({ client, scope, word, recall }) => {
      const result = await client.writeMemory(`${word} cancelled`, scope, [], { signal: AbortSignal.abort() })
      assertWriteResult(result)
      assert.ok(['error', 'blocked', 'unknown'].includes(result.status), `it is not “${result.status}”`)
      assert.deepEqual(await recall(), [])
    },
  ),
  define(
    createClient,
    {
      id: 'failure/abort-in-flight',
      name: 'calls that are cancelled on their way end, with a typed failure at most',
    },
    async ({ client, scope, word }) => {
      const controller = new AbortController()
      const { signal } = controller
      const recall = recallOrTyped(() => client.recallMemory(word, scope, 5, { signal }))
      const write = client.writeMemory(`${word} in flight`, scope, [], { signal })
      controller.abort()
      await recall
      assertWriteResult(await write)
    },
  ),
  define(
    createClient,
    { id: 'failure/close-twice', name: 'closing twice is fine, and calls after it fail with a type' },
    async ({ client, scope, word }) => {
      if (!client.close) return
      await client.close()
      await client.close()
      await recallOrTyped(() => client.recallMemory(word, scope, 5))
      assertWriteResult(await client.writeMemory(`${word} after the end`, scope, []))
    },
  ),
]
