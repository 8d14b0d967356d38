import { KgentError } from '@kgent/contracts'
import { Command, CommanderError } from 'commander'
import { addCall } from './commands/call.ts'
import { addDoctor } from './commands/doctor.ts'
import { addInit } from './commands/init.ts'
import { addMemory } from './commands/memory.ts'
import { addPolicy } from './commands/policy.ts'
import { addReport } from './commands/report.ts'
import { addRun } from './commands/run.ts'
import { addSkills } from './commands/skills.ts'
import { addTools } from './commands/tools.ts'
import { addVerify } from './commands/verify.ts'
import { addWorker } from './commands/worker.ts'
import { CommandFailure, EXIT, type Terminal } from './terminal.ts'

/** How a command puts itself under the program. */
export type AddCommand = (program: Command, context: CommandContext) => void

interface CommandContext {
  terminal: Terminal
  /** Sets the exit code of a command that neither fails nor simply succeeds. */
  done(exitCode: number): void
}

const COMMANDS: readonly AddCommand[] = [
  addRun,
  addTools,
  addCall,
  addPolicy,
  addMemory,
  addSkills,
  addReport,
  addVerify,
  addInit,
  addDoctor,
  addWorker,
]

const HELP_END = `
Exit codes: ${EXIT.ok} ok, ${EXIT.failed} failed, ${EXIT.usage} wrong usage, ${EXIT.denied} denied, ${EXIT.interrupted} interrupted.

Example:
  kgent run --input ./my-project`

/** Runs the `kgent` command and gives its exit code. Failures are one line on stderr, never a stack. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT.ok
  const done = (code: number) => {
    exitCode = code
  }
  try {
    await commandLine({ terminal, done }).parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (thrown) {
    return report(thrown, terminal)
  }
}

function commandLine(context: CommandContext): Command {
  const { terminal } = context
  const program = new Command('kgent')
    .description('Explicit, permission-controlled, observable actions for LLM agents.')
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.error,
      outputError: (text, write) =>
        write(
          `kgent: ${text
            .replace(/^error: /, '')
            .trim()
            .replace(/\s*\n\s*/g, ' ')}\n`,
        ),
    })
    .showSuggestionAfterError()
    .addHelpText('after', HELP_END)
  for (const add of COMMANDS) add(program, context)
  return program
}

function report(thrown: unknown, terminal: Terminal): number {
  // Commander has said it already.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage
  const exitCode = thrown instanceof CommandFailure ? thrown.exitCode : EXIT.failed
  terminal.error(
    `kgent: ${messageOf(thrown)
      .trim()
      .replace(/\s*\n\s*/g, ' ')}\n`,
  )
  return exitCode
}

function messageOf(thrown: unknown): string {
  if (KgentError.is(thrown)) return [thrown.info.message, thrown.info.hint ?? ''].join(' ')
  return thrown instanceof Error ? thrown.message : 'something unexpected was thrown'
}
