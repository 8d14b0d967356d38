import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { releaseFifo } from '../attacker.ts'
import type { CaseDefinition } from '../case-definition.ts'
import type { CaseTree } from '../case-tree.ts'

/** FIFOs, sockets and devices: nobody waits for them. */
export const specialFileCases: CaseDefinition[] = [
  {
    id: 'special/fifo-read',
    name: 'a FIFO is not read, and nobody waits for it',
    needs: ['fifo'],
    prepare: makeFifo,
    run: (guard) => guard.refusesToRead('workspace/p'),
  },
  {
    id: 'special/fifo-write',
    name: 'a FIFO is not written, and nobody waits for it',
    needs: ['fifo'],
    prepare: makeFifo,
    run: (guard) => guard.refusesToWrite('workspace/p'),
  },
  {
    id: 'special/fifo-search',
    name: 'a search passes a FIFO by',
    needs: ['fifo'],
    prepare: makeFifo,
    async run(guard) {
      assert.deepEqual(await guard.finds('hello|released'), ['workspace/note.txt'])
    },
  },
  {
    id: 'special/fifo-many',
    name: 'eight reads of a FIFO keep no other read waiting',
    needs: ['fifo'],
    prepare: makeFifo,
    async run(guard) {
      const fifo = Array.from({ length: 8 }, () => guard.refusesToRead('workspace/p'))
      assert.equal(await guard.reads('workspace/note.txt'), 'hello note\n')
      await Promise.all(fifo)
    },
  },
  {
    id: 'special/link-to-fifo',
    name: 'a link to a FIFO is no way around',
    needs: ['fifo'],
    async prepare(tree) {
      await makeFifo(tree)
      tree.link('l', 'p')
    },
    run: (guard) => guard.refusesToRead('workspace/l'),
  },
  {
    id: 'special/device',
    name: 'an endless device is not read',
    needs: ['device'],
    prepare: makeDevice,
    async run(guard) {
      await guard.refusesToRead('workspace/z')
      assert.deepEqual(await guard.finds('hello'), ['workspace/note.txt'])
    },
  },
  {
    id: 'special/socket',
    name: 'a socket is neither read nor written',
    needs: ['unix'],
    prepare: makeSocket,
    async run(guard) {
      await guard.refusesToRead('workspace/s')
      await guard.refusesToWrite('workspace/s')
    },
  },
  {
    id: 'special/list',
    name: 'a folder with a FIFO, a socket and a device can be listed',
    needs: ['fifo', 'device'],
    async prepare(tree) {
      await makeFifo(tree)
      makeDevice(tree)
      await makeSocket(tree)
    },
    async run(guard) {
      assert.ok((await guard.lists('workspace')).includes('workspace/note.txt'))
    },
  },
]

/** Whoever opens it all the same is let go after a while by another process, so that a broken guard fails instead of hanging. */
async function makeFifo(tree: CaseTree): Promise<void> {
  execFileSync('mkfifo', [tree.at('p')])
  const attacker = await releaseFifo(tree.at('p'))
  tree.atEnd(() => attacker.kill())
}

function makeDevice(tree: CaseTree): void {
  execFileSync('mknod', ['-m', '666', tree.at('z'), 'c', '1', '5'])
}

async function makeSocket(tree: CaseTree): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(tree.at('s'), resolve))
  tree.atEnd(() => server.close())
}
