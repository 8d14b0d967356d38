import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type Attacker, startWriter } from '../attacker.ts'
import type { CaseDefinition } from '../case-definition.ts'
import type { CaseTree } from '../case-tree.ts'
import { specOf } from '../sandbox-spec.ts'

const BYTES = 4_000_000

/** Writers that are killed, and writers that work at the same time. */
export const crashCases: CaseDefinition[] = [
  {
    id: 'crash/kill',
    name: 'a writer that is killed leaves the old content or the new, and nothing that can be seen',
    needs: ['module'],
    prepare: (tree) => tree.put('w.txt', 'A'.repeat(BYTES)),
    async run(guard, tree, { module, kills }) {
      for (let round = 0; round < kills; round += 1) {
        const victim = await writer(module, tree)
        // From one round to the next the blow falls at another moment of the write.
        for (let spin = 0; spin < round * 300_000; spin += 1);
        await victim.kill()
        assertWhole(readFileSync(tree.at('w.txt')))
        assert.deepEqual(await guard.lists('workspace'), [
          'workspace/note.txt',
          'workspace/sub',
          'workspace/w.txt',
        ])
      }
    },
  },
  {
    id: 'crash/three-writers',
    name: 'of three writers at the same time one wins whole, and readers see whole contents only',
    needs: ['module'],
    prepare: (tree) => tree.put('w.txt', 'A'.repeat(BYTES)),
    async run(guard, tree, { module }) {
      const writers = await Promise.all([1, 2, 3].map(() => writer(module, tree)))
      for (let round = 0; round < 40; round += 1) {
        assertWhole(readFileSync(tree.at('w.txt')))
        await guard.read('workspace/w.txt')
      }
      await Promise.all(writers.map((one) => one.kill()))
      assertWhole(readFileSync(tree.at('w.txt')))
    },
  },
]

async function writer(module: string, tree: CaseTree): Promise<Attacker> {
  const started = await startWriter(module, { spec: specOf(tree), path: 'workspace/w.txt', bytes: BYTES })
  tree.atEnd(() => started.kill())
  return started
}

/** Every content that is written has one length and one letter. */
function assertWhole(bytes: Buffer): void {
  assert.equal(bytes.length, BYTES, `the file has ${bytes.length} of ${BYTES} bytes`)
  assert.ok(bytes.equals(Buffer.alloc(BYTES, bytes[0])), 'the file holds parts of two contents')
}
