import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Manifest, root, workspacePackages } from '../scripts/workspace.mjs'
import { programOf } from '../test/readme-program.ts'

// What users get: the packed files of a package, installed by npm into an empty folder outside of the workspace.

const packages = new Map(workspacePackages().map((one) => [one.manifest.name, one]))
const home = mkdtempSync(join(tmpdir(), 'kgent packed ü-'))
const tarballs = new Map<string, string>()

/** Packages whose program needs nothing but npm; those of adapters need their frameworks, which the workspace pins. */
const ALONE = [...packages.keys()].filter(
  (name) => name.startsWith('@kgent/') && (!/\/adapter-/.test(name) || name === '@kgent/adapter-ai-sdk'),
)

function run(command: string, args: readonly string[], cwd: string) {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', CI: 'true' }
  const ended = spawnSync(command, args, { cwd, encoding: 'utf8', env, shell: process.platform === 'win32' })
  return { code: ended.status, out: ended.stdout, all: `${ended.stdout}${ended.stderr}` }
}

/** A package with everything of this workspace that it depends on. */
function closure(names: readonly string[]): string[] {
  const found = new Set<string>()
  const add = (name: string) => {
    const manifest: Manifest | undefined = packages.get(name)?.manifest
    if (!manifest || found.has(name)) return
    found.add(name)
    for (const dependency of Object.keys(manifest.dependencies ?? {})) add(dependency)
  }
  names.forEach(add)
  return [...found]
}

function install(names: readonly string[], others: readonly string[] = []): string {
  const folder = mkdtempSync(join(home, 'app-'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "app", "private": true, "type": "module" }')
  const files = closure(names).map((name) => tarballs.get(name) ?? '')
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  const ended = run('npm', ['install', ...options, ...files, ...others], folder)
  expect(ended.code, ended.all).toBe(0)
  return folder
}

beforeAll(() => {
  const packed = join(home, 'packed')
  mkdirSync(packed)
  for (const [name, { folder }] of packages) {
    const ended = run('pnpm', ['pack', '--pack-destination', packed], folder)
    expect(ended.code, ended.all).toBe(0)
    const file = `${name.replace('@', '').replace('/', '-')}-`
    const made = readdirSync(packed).find((one) => one.startsWith(file) && /^\d/.test(one.slice(file.length)))
    tarballs.set(name, join(packed, made ?? ''))
  }
}, 120_000)

afterAll(() => rmSync(home, { recursive: true, force: true }))

// Third-party packages come from the registry that npm is set to.
const isOffline = run('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=10000'], tmpdir()).code !== 0
const title = `packed and installed outside of the workspace${isOffline ? ' (skipped: no registry answers)' : ''}`

describe.skipIf(isOffline)(title, () => {
  it.each(ALONE)(
    '%s imports, and its README’s program prints what the page says',
    (name) => {
      const source = packages.get(name)?.folder ?? ''
      const { code = '', output = '' } = programOf(readFileSync(join(source, 'README.md'), 'utf8')) ?? {}
      const imported = [...code.matchAll(/(?:from |resolve\()'([^'.][^']*)'/g)].map(
        ([, specifier = '']) => specifier,
      )
      const own = imported.flatMap((specifier) => /^@kgent\/[\w-]+/.exec(specifier) ?? [])
      const others = imported.filter(
        (specifier) => !specifier.startsWith('@kgent/') && !specifier.startsWith('node:'),
      )
      const versions = others.map((specifier) =>
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      const wanted = versions.map((one) => versionOf(one, source))
      const folder = install([name, ...own], [...new Set(wanted)])
      writeFileSync(join(folder, 'program.mjs'), code)
      const ended = run(process.execPath, ['program.mjs'], folder)
      expect(ended.all).toBe(output)
    },
    120_000,
  )

  it('kgent runs its demo there, by npx, and leaves a record that verifies', () => {
    const folder = install(['kgent'])
    const ended = run('npx', ['--no-install', 'kgent', 'run', '--json'], folder)
    expect(ended.code, ended.all).toBe(0)
    const summary = JSON.parse(ended.out)
    expect(summary).toMatchObject({ status: 'completed', failure: null })
    expect(basename(summary.report)).toBe('report.md')
    expect(run('npx', ['--no-install', 'kgent', 'verify', summary.id], folder).code).toBe(0)
  }, 120_000)
})

/** The version that the package's own tests use, else the workspace's. */
function versionOf(name: string, folder: string): string {
  const [own, shared] = [folder, root].map(
    (at) => JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')).devDependencies ?? {},
  )
  return `${name}@${own[name] ?? shared[name] ?? 'latest'}`
}
