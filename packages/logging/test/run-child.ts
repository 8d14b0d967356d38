import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildProgram } from '../../../scripts/build-program.mjs'

const home = fileURLToPath(new URL('..', import.meta.url))

/** Makes a program of a file and the package's source that Node runs as it is. */
export async function buildChild(source: URL): Promise<{ file: string; remove(): void }> {
  const { file, dir } = await buildProgram(fileURLToPath(source), home)
  return { file, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

export interface ChildRun {
  child: ChildProcess
  /** All of standard output, once the child has ended. */
  ended: Promise<{ output: string; code: number | null; signal: NodeJS.Signals | null }>
  /** Resolves with the output so far when it first holds the text. */
  says(text: string): Promise<void>
}

interface ChildOptions {
  args?: string[]
  /** Largest file that the child may write, in blocks of 512 bytes. */
  fileBlocks?: number
}

/** Starts a program that `buildChild` made. */
export function startChild(file: string, { args = [], fileBlocks }: ChildOptions = {}): ChildRun {
  const program = [process.execPath, file, ...args]
  const limited = ['/bin/sh', '-c', `ulimit -f ${fileBlocks}; exec "$0" "$@"`, ...program]
  const [command = '', ...rest] = fileBlocks === undefined ? program : limited
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  return {
    child,
    ended: new Promise((resolve) => {
      child.on('close', (code, signal) => resolve({ output, code, signal }))
    }),
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => output.includes(text) && resolve()
        child.stdout.on('data', look)
        child.on('close', () => reject(new Error(`The child ended without saying ${text}: ${output}`)))
        look()
      }),
  }
}
