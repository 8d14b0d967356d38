import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildProgram } from '../../../scripts/build-program.mjs'

const home = fileURLToPath(new URL('..', import.meta.url))

/** Makes one program of a file and the package's source that Node runs as it is. */
export async function buildChild(source: URL): Promise<{ file: string; remove(): void }> {
  const { file, dir } = await buildProgram(fileURLToPath(source), home)
  return { file, remove: () => rmSync(dir, { recursive: true, force: true }) }
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
