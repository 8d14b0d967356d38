/** Where a command writes, and what it may look at. Tests pass their own. */
export interface Terminal {
  out(text: string): void
  error(text: string): void
  colours: boolean
  environment: Readonly<Record<string, string | undefined>>
  /** How this program is called from there, for commands that are suggested. Default `kgent`. */
  command?: string | undefined
  /** Folder that relative paths start from. */
  cwd: string
  /** Width in characters; absent where stdout is no terminal. */
  columns?: number | undefined
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal
  /** Asks the person at the terminal; absent where nobody can answer. */
  ask?: ((question: string, signal: AbortSignal) => Promise<string>) | undefined
}

/** Exit codes of every command. */
export const EXIT = { ok: 0, failed: 1, usage: 2, denied: 3, interrupted: 130 } as const

/** A failure that is told in one line, with its exit code. */
export class CommandFailure extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Prints one JSON value on stdout. */
export function printJson(terminal: Terminal, value: unknown): void {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`)
}
