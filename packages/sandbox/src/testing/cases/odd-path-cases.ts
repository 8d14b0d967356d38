import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import type { CaseDefinition } from '../case-definition.ts'

const COMPOSED = 'caf\u00e9.txt'
const DECOMPOSED = 'cafe\u0301.txt'

/** Paths that are strange in their form: refused in words, or taken as the bytes that they are. */
export const oddPathCases: CaseDefinition[] = [
  {
    id: 'path/home',
    name: '~ and $HOME are not expanded',
    prepare(tree) {
      const before = process.env.HOME
      process.env.HOME = tree.home
      tree.atEnd(() => {
        process.env.HOME = before
      })
    },
    run: (guard) =>
      guard.refusesToRead(
        '~/.ssh/id_rsa',
        'workspace/~/.ssh/id_rsa',
        '$HOME/.ssh/id_rsa',
        `${'$'}{HOME}/.ssh/id_rsa`,
      ),
  },
  {
    id: 'path/nul',
    name: 'a NUL character is refused and cuts nothing off',
    async run(guard) {
      await guard.refusesToRead(
        'workspace/note.txt\0.png',
        '\0',
        'workspace/\0/../note.txt',
        'workspace/note.txt\0',
      )
      await guard.refusesToWrite('workspace/new.txt\0.png')
    },
  },
  {
    id: 'path/empty',
    name: 'an empty path is refused, for reading and writing',
    async run(guard) {
      await guard.refusesToRead('', '   ')
      await guard.refusesToWrite('', '   ')
    },
  },
  {
    id: 'path/long',
    name: 'names and paths beyond what a disk takes are refused in few words',
    async run(guard) {
      await guard.refusesToRead(
        `workspace/${'a'.repeat(300)}`,
        `workspace/${'c/'.repeat(3_000)}x`,
        'A'.repeat(10_000_000),
        `workspace/${'../'.repeat(3_000_000)}`,
      )
      await guard.refusesToWrite(`workspace/${'b'.repeat(300)}`)
    },
  },
  {
    id: 'path/drive',
    name: 'drive letters lead to no file outside',
    async run(guard, { workspace }) {
      await guard.refusesToRead('C:\\Windows\\win.ini', 'C:/Windows/win.ini')
      await guard.write('C:\\evil.txt')
      await guard.write('C:evil.txt')
      assert.ok(!readdirSync(workspace).includes('evil.txt'), 'a drive letter must not be dropped')
    },
  },
  {
    id: 'path/network',
    name: 'network paths, file: addresses and alternate streams are refused',
    run: (guard, { outside }) =>
      guard.refusesToRead(
        '//localhost/share/x',
        '\\\\?\\C:\\x',
        `file://${outside}/secret.txt`,
        `FILE:///${outside}/secret.txt`,
        'workspace/note.txt::$DATA',
      ),
  },
  {
    id: 'path/trailing',
    name: 'a folder may end with a slash; a file that does is answered clearly',
    async run(guard) {
      assert.ok((await guard.lists('workspace/')).length > 0)
      assert.ok((await guard.lists('workspace/.')).length > 0)
      for (const path of ['workspace/note.txt/', 'workspace/note.txt/.', 'workspace/note.txt/..'])
        await guard.read(path)
    },
  },
  {
    id: 'path/unicode-forms',
    name: 'composed and decomposed letters name two files, never mixed up',
    needs: ['proc'],
    prepare(tree) {
      tree.put(COMPOSED, 'composed\n')
      tree.put(DECOMPOSED, 'decomposed\n')
    },
    async run(guard, tree) {
      assert.equal(await guard.reads(`workspace/${COMPOSED}`), 'composed\n')
      assert.equal(await guard.reads(`workspace/${DECOMPOSED}`), 'decomposed\n')
      await guard.writes(`workspace/${COMPOSED}`, 'new\n')
      assert.equal(tree.contentOf(DECOMPOSED), 'decomposed\n')
      assert.equal(tree.contentOf(COMPOSED), 'new\n')
    },
  },
  {
    id: 'path/missing',
    name: 'a missing file is told by its sandbox path',
    async run(guard) {
      const answer = await guard.read('workspace/no/such.txt')
      assert.ok(!answer.ok && answer.error.message.includes('such.txt'), 'the error names the file')
      await guard.refusesToList('workspace/no-folder')
      await guard.refusesToRead('workspace/sub')
    },
  },
]
