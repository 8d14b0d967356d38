import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { exportedNames, publicApiFile, readPublicApi } from '../scripts/update-public-api.mjs'
import { entriesOf, workspacePackages } from '../scripts/workspace.mjs'

const found = readPublicApi()
const pinned: typeof found = JSON.parse(readFileSync(publicApiFile, 'utf8'))

describe('public API', () => {
  it('has the entries that test/public-api.json names', () => {
    expect(Object.keys(found)).toEqual(Object.keys(pinned))
  })

  for (const { name, file } of workspacePackages().flatMap(entriesOf)) {
    it(`${name} exports the pinned names; refresh with node scripts/update-public-api.mjs`, async () => {
      expect(found[name]).toEqual(pinned[name])
      const loaded = await import(pathToFileURL(file).href)
      expect(Object.keys(loaded).sort()).toEqual(found[name]?.values)
    })
  }

  it('reads every form of export and refuses export *', () => {
    const source = `
      // export { hidden } from './hidden.ts'
      export { run, type Options, inner as outer } from './run.ts'
      export type { Result } from './result.ts'
      export const LIMIT = 1
      export async function start() {}
      export interface Shape {}
    `
    expect(exportedNames(source, 'index.ts')).toEqual({
      values: ['LIMIT', 'outer', 'run', 'start'],
      types: ['Options', 'Result', 'Shape'],
    })
    expect(() => exportedNames(`export * from './all.ts'`, 'index.ts')).toThrow('name every export')
  })
})
