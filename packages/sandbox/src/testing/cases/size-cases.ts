import assert from 'node:assert/strict'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseDefinition } from '../case-definition.ts'
import type { CaseTree } from '../case-tree.ts'

/** Hostile sizes: answers and memory stay bounded. */
export const sizeCases: CaseDefinition[] = [
  {
    id: 'size/large-read',
    name: 'a file larger than the limit is answered in part, or refused',
    prepare: (tree) => tree.put('big.txt', 'a line of the large file\n'.repeat(2_000_000)),
    async run(guard) {
      const answer = await guard.read('workspace/big.txt')
      if (answer.ok) assert.ok(answer.value.text.length <= 300_000)
    },
  },
  {
    id: 'size/huge-read',
    name: 'a sparse file of 5 GB costs no memory in proportion',
    needs: ['unix'],
    prepare(tree) {
      tree.put('huge', '')
      truncateSync(tree.at('huge'), 5_000_000_000)
    },
    run: (guard) => bounded(300, () => guard.read('workspace/huge')),
  },
  {
    id: 'size/large-write',
    name: 'content larger than the limit is refused, and the file keeps what it held',
    limits: { maxWriteBytes: 1_000_000 },
    async run(guard, tree) {
      const answer = await guard.write('workspace/note.txt', 'x'.repeat(1_000_001))
      assert.ok(!answer.ok, 'content over the limit must be refused')
      // 400,000 characters of three bytes each: the limit is about bytes.
      assert.ok(!(await guard.write('workspace/note.txt', '€'.repeat(400_000))).ok)
      assert.equal(tree.contentOf('note.txt'), 'hello note\n')
    },
  },
  {
    id: 'size/many-entries',
    name: 'a folder of very many entries is listed in part, and says so',
    prepare: (tree, { full }) => putMany(tree, { count: full ? 200_000 : 5_000, text: '' }),
    async run(guard) {
      const answer = await guard.list('workspace/many')
      if (!answer.ok) return
      assert.ok(answer.value.entries.length <= 1_000, `${answer.value.entries.length} entries were listed`)
      assert.equal(answer.value.truncated, true)
    },
  },
  {
    id: 'size/deep',
    name: 'a very deep tree can be listed and searched',
    prepare: (tree) => putDeep(tree, 150),
    async run(guard) {
      await guard.lists('workspace', { recursive: true })
      assert.ok((await guard.finds('hello')).includes('workspace/note.txt'))
    },
  },
  {
    id: 'size/long-line',
    name: 'a search meets a line of many megabytes and finds what else there is',
    prepare: (tree, { full }) => tree.put('line.txt', Buffer.alloc(full ? 200e6 : 20e6, 'x')),
    async run(guard) {
      await bounded(700, () => guard.grep('xx'))
      assert.ok((await guard.finds('hello')).includes('workspace/note.txt'))
    },
  },
  {
    id: 'size/many-files',
    name: 'a search through very many files is bounded, and says so',
    prepare: (tree, { full }) =>
      putMany(tree, { count: full ? 20_000 : 2_000, text: 'some text\nneedle line\n' }),
    run: (guard) => assertCutSearch(guard.grep('needle', { path: 'workspace/many' })),
  },
  {
    id: 'size/many-matches',
    name: 'a search with very many matches is bounded, and says so',
    prepare: (tree, { full }) => tree.put('many.txt', 'needle\n'.repeat(full ? 1_000_000 : 100_000)),
    run: (guard) => assertCutSearch(guard.grep('needle')),
  },
]

async function assertCutSearch(
  asked: Promise<{ ok: true; value: { matches: readonly unknown[]; truncated: boolean } } | { ok: false }>,
): Promise<void> {
  const answer = await asked
  if (!answer.ok) return
  assert.ok(answer.value.matches.length <= 500, `${answer.value.matches.length} matches were returned`)
  assert.equal(answer.value.truncated, true)
}

/** Runs an operation whose peak of memory must grow by less than some megabytes. */
async function bounded(megabytes: number, operation: () => Promise<unknown>): Promise<void> {
  const before = process.resourceUsage().maxRSS
  await operation()
  const grown = (process.resourceUsage().maxRSS - before) / 1024
  assert.ok(grown < megabytes, `memory grew by ${Math.round(grown)} MB`)
}

function putMany(tree: CaseTree, { count, text }: { count: number; text: string }): void {
  mkdirSync(tree.at('many'))
  for (let index = 0; index < count; index += 1) writeFileSync(tree.at(`many/f${index}.txt`), text)
}

function putDeep(tree: CaseTree, levels: number): void {
  const path = Array.from({ length: levels }, () => 'dd').join('/')
  mkdirSync(tree.at(path), { recursive: true })
  writeFileSync(join(tree.at(path), 'leaf.txt'), 'leaf\n')
}
