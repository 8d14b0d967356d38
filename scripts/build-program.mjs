// Programs for tests and benchmarks that need a process of their own, made of the packages' sources.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'vite'

/**
 * Makes one program of a file and the packages' sources that Node runs as it is. Whoever calls it removes `dir`.
 * @param {string} source Path of the file
 * @param {string} home Folder of the package: the program lies inside, so that it finds what the package depends on
 * @returns {Promise<{ file: string, dir: string }>}
 */
export async function buildProgram(source, home) {
  const output = join(home, 'node_modules', '.kgent-programs')
  mkdirSync(output, { recursive: true })
  const dir = mkdtempSync(join(output, 'program-'))
  const conditions = ['@kgent/source', 'node']
  await build({
    configFile: false,
    logLevel: 'silent',
    root: dirname(source),
    resolve: { conditions },
    ssr: { noExternal: [/^@kgent\//], resolve: { conditions } },
    build: {
      ssr: source,
      outDir: dir,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'program.mjs' } },
    },
  })
  return { file: join(dir, 'program.mjs'), dir }
}
