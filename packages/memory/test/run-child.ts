import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const here = fileURLToPath(new URL('.', import.meta.url))
// Inside the package, so that the child finds what the package depends on.
const output = join(here, '..', 'node_modules', '.kgent-children')

/** Makes one program of a file and the package's source that Node runs as it is. */
export async function buildChild(source: URL): Promise<{ file: string; remove(): void }> {
  mkdirSync(output, { recursive: true })
  const outDir = mkdtempSync(join(output, 'child-'))
  const conditions = ['@kgent/source', 'node']
  await build({
    configFile: false,
    logLevel: 'silent',
    root: here,
    resolve: { conditions },
    ssr: { noExternal: [/^@kgent\//], resolve: { conditions } },
    build: {
      ssr: fileURLToPath(source),
      outDir,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'child.mjs' } },
    },
  })
  return { file: join(outDir, 'child.mjs'), remove: () => rmSync(outDir, { recursive: true, force: true }) }
}

export interface StartedChild {
  child: ChildProcess
  /** What it has printed so far, line by line. */
  lines: string[]
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Resolves when it has printed so many lines, or has ended. */
  printed(count: number): Promise<void>
}

/** Starts a program that `buildChild` made. */
export function startChild(file: string, args: string[]): StartedChild {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  return {
    child,
    lines,
    ended: new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal }))),
    printed: (count) =>
      new Promise((resolve) => {
        const look = () => lines.length >= count && resolve()
        child.stdout.on('data', look)
        child.on('close', () => resolve())
        look()
      }),
  }
}
