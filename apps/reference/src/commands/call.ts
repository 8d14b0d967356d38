import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ErrorCode, ErrorInfo } from '@kgent/contracts'
import { createRun } from '@kgent/runtime'
import { nearestName } from '../nearest-name.ts'
import type { AddCommand } from '../run-command.ts'
import { addRunFlags, type RunFlags, runOptions } from '../shared-options.ts'
import { CommandFailure, EXIT, printJson } from '../terminal.ts'

interface Flags extends Omit<RunFlags, 'input'> {
  input: string[]
}

const HELP_END = `
Prints the result as one JSON value.

Example:
  kgent call read_file --input '{"path":"inputs/app.log"}' --input ./logs`

/** `kgent call`: one call by hand, on the same way as a model's. */
export const addCall: AddCommand = (program, { terminal, done }) => {
  const command = program.command('call <tool>').description('Make one call and print its result as JSON.')
  addRunFlags(command, { input: false })
    .option(
      '--input <value>',
      'arguments as a JSON object; a folder is mounted as inputs (may be given twice)',
      collect,
      [],
    )
    .option('--json', 'print JSON (this command always does)')
    .addHelpText('after', HELP_END)
    .action(async (tool: string, { input, ...flags }: Flags) => {
      const { args, folder } = readInput(input, terminal.cwd)
      const run = await createRun(
        runOptions({ ...flags, ...(folder !== undefined && { input: folder }) }, terminal.cwd),
      )
      const result = await run.call(tool, args, { signal: terminal.interrupted })
      await run.close({ status: terminal.interrupted.aborted ? 'interrupted' : 'completed' })
      printJson(terminal, result)
      if (result.error)
        throw failureOf(tool, { error: result.error, names: run.tools.map(({ name }) => name) })
      done(EXIT.ok)
    })
}

const collect = (value: string, before: string[]) => [...before, value]

/** What looks like JSON is the arguments; a folder that exists is the inputs; anything else is a mistake. */
function readInput(values: readonly string[], cwd: string): { args: unknown; folder: string | undefined } {
  let args: unknown = {}
  let folder: string | undefined
  for (const value of values) {
    if (/^\s*[{["]/.test(value)) args = parseArguments(value)
    else if (statSync(resolve(cwd, value), { throwIfNoEntry: false })?.isDirectory()) folder = value
    else
      throw new CommandFailure(
        `--input ${value}: this is neither a JSON object such as {"path":"inputs/a.txt"} nor a folder that exists.`,
        EXIT.usage,
      )
  }
  return { args, folder }
}

function parseArguments(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (thrown) {
    throw new CommandFailure(`--input is not JSON: ${(thrown as SyntaxError).message}.`, EXIT.usage)
  }
}

const DENIALS: readonly ErrorCode[] = [
  'permission_denied',
  'approval_required',
  'approval_rejected',
  'approval_invalid',
  'path_outside',
  'path_invalid',
  'read_only',
  'memory_disabled',
]

function failureOf(
  tool: string,
  { error, names }: { error: ErrorInfo; names: readonly string[] },
): CommandFailure {
  const near = error.code === 'unknown_tool' ? nearestName(tool, names) : undefined
  const suggestion = near === undefined ? '' : ` Did you mean ${near}?`
  return new CommandFailure(`${tool}: ${error.message}${suggestion}`, exitCodeOf(error.code))
}

function exitCodeOf(code: ErrorCode): number {
  if (code === 'invalid_input' || code === 'unknown_tool') return EXIT.usage
  if (code === 'aborted') return EXIT.interrupted
  return DENIALS.includes(code) ? EXIT.denied : EXIT.failed
}
