import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { root, workspacePackages } from '../scripts/workspace.mjs'

/** What each package may import: only what lies below it, and siblings not each other. */
const SIBLINGS = ['tools-core', 'permissions', 'sandbox', 'skills', 'memory', 'logging']
const BELOW: Record<string, string[]> = {
  contracts: [],
  ...Object.fromEntries(SIBLINGS.map((name) => [name, ['contracts']])),
  runtime: ['contracts', ...SIBLINGS],
}
const below = (name: string): string[] | undefined => {
  if (name.startsWith('adapter-')) return ['contracts', 'tools-core']
  if (name.startsWith('memory-')) return ['contracts']
  if (name.startsWith('worker-')) return ['contracts', ...SIBLINGS]
  return BELOW[name]
}

/** Agent frameworks and model vendors: known to an adapter or an app, and to nothing else. */
const FRAMEWORK =
  /^(ai|openai|langchain|llamaindex|mastra|genkit)(\/|$)|^@(ai-sdk|openai|langchain|mastra|anthropic-ai|google|voltagent|llamaindex|modelcontextprotocol|strands-agents|tanstack)\//

const packages = workspacePackages()
const names = packages.map(({ manifest }) => manifest.name)

interface Import {
  readonly file: string
  readonly specifier: string
}

function importsIn(folder: string): Import[] {
  const files = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, 'src', file))
    .flatMap((file) => specifiersOf(readFileSync(file, 'utf8')).map((specifier) => ({ file, specifier })))
}

function specifiersOf(source: string): string[] {
  const { module, comments } = parseSync('module.ts', source)
  const requested = [
    ...module.staticImports.map((statement) => statement.moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest?.value)),
  ]
  const code = comments.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), source)
  const calls = [...code.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]/g)].map((match) => match[1])
  return [...new Set([...requested, ...calls])].filter((specifier) => specifier !== undefined)
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

describe('layers', () => {
  it('reads every form of import', () => {
    const source = `
      import a, { type A } from 'a'
      import 'b'
      export type { C } from "c"
      const d = await import('d')
      type E = import('e').E
      const glob = '/*'
      export * from 'f'
      // import 'g'; import('h')
    `
    expect(specifiersOf(source).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  for (const { folder, manifest } of packages) {
    const { name } = manifest
    const isApp = folder.startsWith(join(root, 'apps') + sep)
    const short = name.replace('@kgent/', '')
    // The MCP client SDK is what memory-mcp is an adapter of.
    const isHost = isApp || short.startsWith('adapter-') || short === 'memory-mcp'
    const allowed = isApp
      ? names.filter((other) => other !== name)
      : below(short)?.map((it) => `@kgent/${it}`)
    const declared = Object.keys({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
    })
    const imports = importsIn(folder)
    const show = ({ file, specifier }: Import): string => `${relative(root, file)} imports ${specifier}`

    describe(name, () => {
      it('has a place in the picture', () => {
        expect(allowed).toBeDefined()
      })

      it('depends only on what lies below it', () => {
        const own = declared.filter(
          (dependency) => names.includes(dependency) || dependency.startsWith('@kgent/'),
        )
        expect(own.filter((dependency) => !allowed?.includes(dependency))).toEqual([])
      })

      it('imports only what lies below it', () => {
        const own = imports.filter(({ specifier }) => specifier.startsWith('@kgent/'))
        expect(own.filter(({ specifier }) => !allowed?.includes(packageOf(specifier))).map(show)).toEqual([])
      })

      it('imports only what it declares', () => {
        const foreign = imports.filter(({ specifier }) => !/^(\.|node:)/.test(specifier))
        expect(foreign.filter(({ specifier }) => !declared.includes(packageOf(specifier))).map(show)).toEqual(
          [],
        )
      })

      it('reaches no file of another package', () => {
        const escapes = imports.filter(({ file, specifier }) => {
          if (!specifier.startsWith('.')) return false
          return !resolve(file, '..', specifier).startsWith(join(folder, 'src') + sep)
        })
        expect(escapes.map(show)).toEqual([])
      })

      it('imports other packages through their public entries, and no test kit in working code', () => {
        const entries = packages.flatMap(({ manifest: other }) =>
          Object.keys(other.exports ?? {}).map((subpath) => `${other.name}${subpath.slice(1)}`),
        )
        const wrong = imports.filter(({ file, specifier }) => {
          if (!specifier.startsWith('@kgent/')) return false
          const inKit = file.startsWith(join(folder, 'src', 'testing') + sep)
          return !entries.includes(specifier) || (specifier.endsWith('/testing') && !inKit)
        })
        expect(wrong.map(show)).toEqual([])
      })

      if (!isHost) {
        it('knows no agent framework', () => {
          const hosts = imports.filter(({ specifier }) => FRAMEWORK.test(specifier)).map(show)
          expect([...hosts, ...declared.filter((dependency) => FRAMEWORK.test(dependency))]).toEqual([])
        })
      }
    })
  }
})
