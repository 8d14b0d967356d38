import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

describe('one build for three majors', () => {
  it('is tested on the majors that the manifest names', () => {
    const installed = ['ai5', 'ai6', 'ai'].map(
      (name) => manifestOf(`node_modules/${name}`).version.split('.')[0],
    )
    expect(installed).toEqual(['5', '6', '7'])
    expect(manifestOf('.').peerDependencies.ai).toBe('^5.0.0 || ^6.0.0 || ^7.0.0')
  })

  it('imports nothing from `ai` at run time', () => {
    const sources = readdirSync(join(root, 'src')).map((file) =>
      readFileSync(join(root, 'src', file), 'utf8'),
    )
    const imports = sources.flatMap((source) => source.match(/^.*\bfrom 'ai'.*$/gm) ?? [])
    expect(imports).toEqual(["import type { Tool } from 'ai'"])
  })

  it.each([5, 6])('has types that fit AI SDK %i', (major) => {
    const project = join(root, 'test', `tsconfig.ai${major}.json`)
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' })
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
  })
})
