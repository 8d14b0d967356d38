import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const here = fileURLToPath(new URL('.', import.meta.url))
// Inside the package, so that the program finds what the package depends on.
const output = join(here, '..', 'node_modules', '.kgent-programs')

/**
 * Makes one program of a file and the packages' sources that Node runs as it is.
 * @param {string} source Name of a file beside this one, or a path from here
 * @returns {Promise<{ file: string, dir: string }>}
 */
export async function buildProgram(source) {
  mkdirSync(output, { recursive: true })
  const dir = mkdtempSync(join(output, 'program-'))
  const conditions = ['@kgent/source', 'node']
  await build({
    configFile: false,
    logLevel: 'silent',
    root: here,
    resolve: { conditions },
    ssr: { noExternal: [/^@kgent\//], resolve: { conditions } },
    build: {
      ssr: join(here, source),
      outDir: dir,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'program.mjs' } },
    },
  })
  return { file: join(dir, 'program.mjs'), dir }
}
