import assert from 'node:assert/strict'
import { growFile } from '../attacker.ts'
import type { CaseDefinition } from '../case-definition.ts'

/** Far more than a linear search of one short line ever takes. */
const SLOW_MS = 500

/** Search: hostile patterns, and files that are no plain text. */
export const searchCases: CaseDefinition[] = [
  {
    id: 'search/backtracking',
    name: 'a pattern that makes others backtrack for ever is searched in linear time, or refused',
    async run(guard, tree) {
      // Whoever backtracks takes four times as long from one length to the next, and is slow before the last.
      for (const letters of [20, 22, 24, 26, 28, 30, 32]) {
        tree.put('r.txt', `${'a'.repeat(letters)}!\n`)
        const milliseconds = await timeOf(() => guard.grep('(a+)+$'))
        assert.ok(
          milliseconds < SLOW_MS,
          `one line of ${letters} letters took ${Math.round(milliseconds)} ms`,
        )
      }
      assert.equal(await guard.reads('workspace/note.txt'), 'hello note\n')
    },
  },
  {
    id: 'search/invalid-pattern',
    name: 'a pattern that does not parse is refused, and the sandbox lives',
    needs: ['regex'],
    async run(guard) {
      for (const pattern of ['([a-z', '*', '(?<x>', '[z-a]', '\\'])
        assert.ok(!(await guard.grep(pattern)).ok, `the pattern ${pattern} must be refused`)
      assert.equal(await guard.reads('workspace/note.txt'), 'hello note\n')
    },
  },
  {
    id: 'search/shell',
    name: 'nothing in a pattern or a path reaches a shell',
    async run(guard, { outside }) {
      for (const pattern of [
        `$(touch ${outside}/pwned)`,
        `'; touch ${outside}/pwned; echo '`,
        '`id`',
        `$(cat ${outside}/secret.txt)`,
        `--pre=touch ${outside}/pwned`,
      ]) {
        const answer = await guard.grep(pattern)
        assert.doesNotMatch(JSON.stringify(answer), /uid=/)
      }
      await guard.grep('hello', { path: `workspace; touch ${outside}/pwned` })
    },
  },
  {
    id: 'search/glob',
    name: 'a glob does not climb out of the searched folder',
    async run(guard, { canary, outside }) {
      for (const glob of ['../../../outside/**', `${outside}/**`, '**/../../../../outside/*', '../logs/*'])
        await guard.grep(canary.slice(0, 6), { glob })
    },
  },
  {
    id: 'search/single-file',
    name: 'one file can be searched; a missing one is told by its name',
    async run(guard) {
      assert.deepEqual(await guard.finds('hello', { path: 'workspace/note.txt' }), ['workspace/note.txt'])
      const answer = await guard.grep('hello', { path: 'workspace/missing.txt' })
      assert.ok(!answer.ok && answer.error.message.includes('missing.txt'))
    },
  },
  {
    id: 'search/binary',
    name: 'a binary file puts no raw bytes into the answer',
    prepare: (tree) =>
      tree.put(
        'b.bin',
        Buffer.concat([Buffer.from([0, 1, 2, 0xff, 0xfe]), Buffer.from('hello'), Buffer.alloc(4_000)]),
      ),
    async run(guard) {
      const answer = await guard.grep('hello')
      assert.ok(answer.ok && answer.value.matches.some(({ path }) => path === 'workspace/note.txt'))
      assert.doesNotMatch(answer.value.matches.map(({ text }) => text).join('\n'), /\0/)
    },
  },
  {
    id: 'search/utf-16',
    name: 'a UTF-16 file breaks no search',
    prepare: (tree) => tree.put('w.txt', Buffer.from('\ufeffhello wide\r\n', 'utf16le')),
    async run(guard) {
      assert.ok((await guard.finds('hello')).includes('workspace/note.txt'))
      await guard.read('workspace/w.txt')
    },
  },
  {
    id: 'search/growing',
    name: 'a file that grows while it is searched ends no search late',
    async prepare(tree) {
      tree.put('g.txt', 'needle\n')
      const attacker = await growFile(tree.at('g.txt'))
      tree.atEnd(() => attacker.kill())
    },
    async run(guard) {
      await guard.grep('needle')
      assert.ok((await guard.finds('hello')).includes('workspace/note.txt'))
    },
  },
  {
    id: 'search/unreadable',
    name: 'a file and a folder that cannot be read do not hide the rest',
    needs: ['modes'],
    prepare(tree) {
      tree.put('no.txt', 'hello hidden\n')
      tree.put('no/x.txt', 'hello hidden\n')
      tree.chmod('no.txt', 0)
      tree.chmod('no', 0)
    },
    async run(guard) {
      assert.ok((await guard.finds('hello')).includes('workspace/note.txt'))
      assert.ok((await guard.lists('workspace')).includes('workspace/note.txt'))
      await guard.refusesToRead('workspace/no.txt', 'workspace/no/x.txt')
    },
  },
  {
    id: 'search/odd-names',
    name: 'names with a line feed or an escape sequence are one entry each',
    needs: ['unix'],
    prepare(tree) {
      tree.put('x\nFORGED.txt', 'hello line\n')
      tree.put('\u001b[2Jansi.txt', 'hello escape\n')
    },
    async run(guard) {
      assert.ok((await guard.finds('hello')).includes('workspace/note.txt'))
      const listed = await guard.lists('workspace')
      assert.ok(listed.includes('workspace/note.txt'))
      assert.equal(listed.length, 4)
      assert.ok(!listed.some((path) => path.endsWith('/FORGED.txt')), 'a name must not become a second entry')
    },
  },
]

/** The faster of two runs: a machine that is busy slows down one, not both. */
async function timeOf(operation: () => Promise<unknown>): Promise<number> {
  const first = await timeOnce(operation)
  return first < SLOW_MS ? first : Math.min(first, await timeOnce(operation))
}

async function timeOnce(operation: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await operation()
  return performance.now() - began
}
