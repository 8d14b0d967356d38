import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tree, unwrap } from './fixture.ts'

const COUNT = 12_000
const name = (index: number) =>
  `an-entry-with-a-long-name-so-that-the-folder-is-large-${(index * 7_919) % COUNT}.txt`

it('a very large folder is listed in order, page by page, with folders at their place', async () => {
  const { sandbox, workspace } = tree({}, { maxListEntries: 100_000 })
  for (let index = 0; index < COUNT; index += 1) closeSync(openSync(join(workspace, name(index)), 'w'))
  mkdirSync(join(workspace, 'an-entry'))
  writeFileSync(join(workspace, 'an-entry', 'x.md'), 'needle')
  const expected = [
    ...Array.from({ length: COUNT }, (_, index) => name(index)),
    'an-entry',
    'an-entry/x.md',
  ].sort()
  const listed = async (options: object) =>
    unwrap(await sandbox.listFiles('.', { recursive: true, ...options })).entries.map(({ path }) =>
      path.slice(10),
    )
  expect(await listed({})).toEqual(expected)
  expect(await listed({ limit: 1_000 })).toEqual(expected.slice(0, 1_000))
  expect(await listed({ glob: '*7.txt' })).toEqual(expected.filter((path) => path.endsWith('7.txt')))
  expect(await listed({ glob: '*.md' })).toEqual(['an-entry/x.md'])
  expect(unwrap(await sandbox.grepFiles('needle'))).toMatchObject({ matchCount: 1, filesScanned: COUNT + 1 })
})
