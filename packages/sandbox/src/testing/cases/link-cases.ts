import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseDefinition } from '../case-definition.ts'

const unix = ['unix'] as const

/** Symbolic links: what leads out is refused, what stays inside breaks nothing. */
export const linkCases: CaseDefinition[] = [
  {
    id: 'links/file-read',
    name: 'a link to a file outside is not read',
    needs: unix,
    prepare: (tree) => tree.link('l', `${tree.outside}/secret.txt`),
    run: (guard) => guard.refusesToRead('workspace/l'),
  },
  {
    id: 'links/folder-read',
    name: 'nothing is read below a link to a folder outside, absolute or relative',
    needs: unix,
    prepare(tree) {
      tree.link('d', `${tree.outside}/d`)
      tree.link('sub/r', '../../../../outside/d')
      tree.link('chain', 'd')
    },
    run: (guard) =>
      guard.refusesToRead(
        'workspace/d/inner.txt',
        'workspace/d/sub/deep.txt',
        'workspace/sub/r/inner.txt',
        'workspace/chain/inner.txt',
      ),
  },
  {
    id: 'links/proc',
    name: 'a link into /proc shows nothing of the process',
    needs: ['proc'],
    prepare(tree) {
      tree.link('e', '/proc/self/environ')
      tree.link('p', '/proc/self')
      tree.link('cwd', '/proc/self/cwd')
      tree.link('root', '/proc/self/root')
    },
    run: (guard, { outside }) =>
      guard.refusesToRead(
        'workspace/e',
        'workspace/p/environ',
        'workspace/cwd/package.json',
        `workspace/root${outside}/secret.txt`,
      ),
  },
  {
    id: 'links/dangling-write',
    name: 'writing to a link whose target does not exist creates nothing outside',
    needs: unix,
    prepare: (tree) => tree.link('new.txt', `${tree.outside}/created.txt`),
    run: async (guard) => void (await guard.write('workspace/new.txt')),
  },
  {
    id: 'links/write-over',
    name: 'writing to a link to a file outside does not change that file',
    needs: unix,
    prepare: (tree) => tree.link('l', `${tree.outside}/secret.txt`),
    run: async (guard) => void (await guard.write('workspace/l')),
  },
  {
    id: 'links/new-below',
    name: 'no file and no folder is made below a link to a folder outside',
    needs: unix,
    prepare: (tree) => tree.link('d', `${tree.outside}/d`),
    run: (guard) =>
      guard.refusesToWrite('workspace/d/new.txt', 'workspace/d/made/new.txt', 'workspace/d/inner.txt'),
  },
  {
    id: 'links/list',
    name: 'a link to a folder outside is neither listed nor searched',
    needs: unix,
    prepare: (tree) => tree.link('d', `${tree.outside}/d`),
    async run(guard, { canary }) {
      await guard.refusesToList('workspace/d', 'workspace/d/sub')
      const below = await guard.lists('workspace', { recursive: true })
      assert.deepEqual(
        below.filter((path) => path.includes('inner.txt')),
        [],
      )
      assert.deepEqual(await guard.finds(canary.slice(0, 6)), [])
    },
  },
  {
    id: 'links/circle',
    name: 'links in a circle are refused, and end every walk',
    needs: unix,
    prepare(tree) {
      tree.link('a', 'b')
      tree.link('b', 'a')
      tree.link('up', '..')
      tree.link('self', '.')
      tree.link('sub/back', '..')
    },
    async run(guard) {
      await guard.refusesToRead('workspace/a', 'workspace/a/x')
      await guard.refusesToList('workspace/a')
      assert.ok((await guard.lists('workspace', { recursive: true })).includes('workspace/note.txt'))
      assert.ok((await guard.finds('hello')).includes('workspace/note.txt'))
    },
  },
  {
    id: 'links/root',
    name: 'a mount whose folder is reached through a link works, and holds',
    needs: unix,
    prepare(tree) {
      tree.workspaceDir = join(tree.base, 'link-to-workspace')
      tree.link(tree.workspaceDir, tree.workspace)
    },
    async run(guard, tree) {
      assert.equal(await guard.reads('workspace/note.txt'), 'hello note\n')
      await guard.writes('workspace/new.txt', 'new\n')
      assert.equal(tree.contentOf('new.txt'), 'new\n')
      assert.ok((await guard.lists('workspace')).includes('workspace/note.txt'))
      await guard.refusesToRead('workspace/../outside/secret.txt')
    },
  },
  {
    id: 'links/inside',
    name: 'links that stay inside are followed or refused clearly, and break no listing',
    needs: unix,
    prepare(tree) {
      tree.link('in', 'note.txt')
      tree.link('absolute', tree.at('note.txt'))
      tree.link('dangling', 'nowhere')
    },
    async run(guard) {
      for (const path of ['workspace/in', 'workspace/absolute']) {
        const answer = await guard.read(path)
        if (answer.ok) assert.equal(answer.value.text, 'hello note\n')
      }
      assert.ok((await guard.lists('workspace')).includes('workspace/note.txt'))
    },
  },
  {
    id: 'links/read-only',
    name: 'a link into a read-only mount does not make it writable',
    needs: ['unix', 'readOnlyMounts'],
    prepare(tree) {
      tree.link('r', tree.reference)
      tree.link('f', `${tree.reference}/doc.txt`)
    },
    async run(guard) {
      await guard.refusesToWrite('workspace/r/doc.txt', 'workspace/r/new.txt')
      await guard.write('workspace/f')
    },
  },
  {
    id: 'links/dotdot-behind',
    name: '.. behind a link to the outside stays outside of reach',
    needs: unix,
    prepare: (tree) => tree.link('d', `${tree.outside}/d`),
    async run(guard, tree) {
      await guard.refusesToRead('workspace/d/../secret.txt')
      const answer = await guard.read('workspace/d/../note.txt')
      if (answer.ok) assert.equal(answer.value.text, 'hello note\n')
      await guard.write('workspace/d/../new.txt')
      assert.ok(!existsSync(join(tree.outside, 'new.txt')))
    },
  },
]
