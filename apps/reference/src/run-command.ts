import { KgentError } from '@kgent/contracts'
import { Command, CommanderError } from 'commander'
import { addCall } from './commands/call.ts'
import { addInit } from './commands/init.ts'
import { addPolicy } from './commands/policy.ts'
import { addRun } from './commands/run.ts'
import { addTools } from './commands/tools.ts'
import { addVerify } from './commands/verify.ts'
import { CommandFailure, EXIT, type Terminal } from './terminal.ts'

/** Runs the `kgent` command and gives its exit code. Failures are one line on stderr, never a stack. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT.ok
  const done = (code: number) => {
    exitCode = code
  }
  try {
    await commandLine(terminal, done).parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (thrown) {
    return report(thrown, terminal)
  }
}

function commandLine(terminal: Terminal, done: (exitCode: number) => void): Command {
  const program = new Command('kgent')
    .description('Explicit, permission-controlled, observable actions for LLM agents.')
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.error,
      outputError: (text, write) => write(text.replace(/^error:/, 'kgent:')),
    })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `\nExit codes: ${EXIT.ok} ok, ${EXIT.failed} failed, ${EXIT.usage} wrong usage, ${EXIT.denied} denied, ${EXIT.interrupted} interrupted.`,
    )
  for (const add of [addRun, addTools, addCall, addPolicy, addVerify, addInit]) add(program, terminal, done)
  return program
}

/** How a command puts itself under the program. */
export type AddCommand = (program: Command, terminal: Terminal, done: (exitCode: number) => void) => void

function report(thrown: unknown, terminal: Terminal): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage
  if (thrown instanceof CommandFailure) return say(terminal, thrown.message, thrown.exitCode)
  if (KgentError.is(thrown)) return say(terminal, thrown.info.message, EXIT.failed)
  return say(
    terminal,
    thrown instanceof Error ? thrown.message : 'something unexpected was thrown',
    EXIT.failed,
  )
}

function say(terminal: Terminal, message: string, exitCode: number): number {
  terminal.error(`kgent: ${message.split('\n')[0]}\n`)
  return exitCode
}
