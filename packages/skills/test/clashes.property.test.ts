import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSkillRegistry } from '@kgent/skills'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { folderWith, skillText } from './fixture.ts'

const names = ['deploy', 'Deploy', 'digest']
const place = fc.record({
  root: fc.constantFrom('one', 'two'),
  path: fc.constantFrom('a', 'b', 'deploy', 'group/deploy', 'digest'),
  name: fc.constantFrom(...names),
})
type Place = { root: string; path: string; name: string }

/** What a registry offers when the folders are made in this order. */
async function offered(places: readonly Place[]) {
  const folder = folderWith()
  for (const root of ['one', 'two']) mkdirSync(join(folder, root))
  for (const { root, path, name } of places) {
    mkdirSync(join(folder, root, path), { recursive: true })
    writeFileSync(join(folder, root, path, 'SKILL.md'), skillText(name, `${root}/${path}`))
  }
  const registry = await createSkillRegistry({
    roots: ['one', 'two'].map((root) => ({ dir: join(folder, root) })),
  })
  const { skills, problems } = await registry.list()
  const bodies = await Promise.all(
    skills.map(async ({ id }) => {
      const outcome = await registry.load(id)
      return outcome.ok && outcome.value.body
    }),
  )
  return { skills: skills.map(({ id, remarks }) => ({ id, remarks })), bodies, problems }
}

it('what is offered does not depend on the order in which folders were made, and every folder is accounted for', async () => {
  const places = fc.uniqueArray(place, {
    selector: ({ root, path }) => `${root}/${path}`,
    minLength: 1,
    maxLength: 8,
  })
  const shuffled = places.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  )
  await fc.assert(
    fc.asyncProperty(shuffled, async ([one, other]) => {
      const first = await offered(one)
      expect(await offered(other)).toEqual(first)
      expect(first.skills.length + first.problems.length).toBe(one.length)
    }),
    { numRuns: 40 },
  )
})
