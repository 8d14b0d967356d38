import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { swapForLink } from '../attacker.ts'
import type { CaseDefinition, CaseSettings } from '../case-definition.ts'
import type { CaseTree } from '../case-tree.ts'
import type { Guard } from '../guard.ts'

interface Race {
  id: string
  name: string
  /** In the workspace, what is swapped; and below the outside, what for. */
  swapped: string
  target: string
  attempt(guard: Guard, index: number, tree: CaseTree): Promise<unknown>
}

const RACES: Race[] = [
  {
    id: 'read-folder',
    name: 'reading below a folder that is swapped for a link returns nothing from outside',
    swapped: 'd',
    target: 'd',
    attempt: (guard) => guard.read('workspace/d/inner.txt'),
  },
  {
    id: 'read-file',
    name: 'reading a file that is swapped for a link returns nothing from outside',
    swapped: 'd/inner.txt',
    target: 'd/inner.txt',
    attempt: (guard) => guard.read('workspace/d/inner.txt'),
  },
  {
    id: 'read-parent',
    name: 'reading far below a folder that is swapped for a link returns nothing from outside',
    swapped: 'd',
    target: 'd',
    attempt: (guard) => guard.read('workspace/d/sub/deep.txt'),
  },
  {
    id: 'write-folder',
    name: 'writing below a folder that is swapped for a link creates nothing outside',
    swapped: 'd',
    target: 'd',
    attempt: (guard, index) => guard.write(`workspace/d/new-${index % 50}.txt`),
  },
  {
    id: 'write-file',
    name: 'writing a file that is swapped for a link changes nothing outside',
    swapped: 'd/inner.txt',
    target: 'd/inner.txt',
    attempt: (guard) => guard.write('workspace/d/inner.txt', 'inside\n'),
  },
  {
    id: 'make-folder',
    name: 'making folders below one that is swapped for a link makes none outside',
    swapped: 'd',
    target: 'd',
    attempt: (guard, index) => guard.write(`workspace/d/made-${index % 50}/new.txt`),
  },
  {
    id: 'list',
    name: 'listing a folder that is swapped for a link shows nothing from outside',
    swapped: 'd',
    target: 'd',
    attempt: (guard) => guard.list('workspace/d', { recursive: true }),
  },
  {
    id: 'search',
    name: 'searching a folder that is swapped for a link finds nothing from outside',
    swapped: 'd',
    target: 'd',
    attempt: (guard) => guard.grep('CANARY', { path: 'workspace/d' }),
  },
]

/** A second process swaps names for links while the sandbox works. */
export const raceCases: CaseDefinition[] = RACES.map((race) => ({
  id: `races/${race.id}`,
  name: race.name,
  needs: ['unix', 'raceFree'],
  prepare: (tree) => prepare(tree, race),
  run: (guard, tree, settings) => attack(race, { guard, tree, settings }),
}))

function prepare(tree: CaseTree, { swapped }: Race): void {
  mkdirSync(dirname(tree.at(swapped)), { recursive: true })
  tree.put('d/inner.txt', 'inside\n')
  tree.put('d/sub/deep.txt', 'inside\n')
}

async function attack(
  { swapped, target, attempt }: Race,
  { guard, tree, settings }: { guard: Guard; tree: CaseTree; settings: CaseSettings },
): Promise<void> {
  const before = tree.snapshotOutside()
  const attacker = await swapForLink(tree.at(swapped), join(tree.outside, target))
  try {
    for (let index = 0; index < settings.tries; index += 1) {
      await attempt(guard, index, tree)
      if (index % 500 === 499)
        assert.deepEqual(tree.snapshotOutside(), before, 'something outside has changed')
    }
  } finally {
    await attacker.kill()
  }
}
