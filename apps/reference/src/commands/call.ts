import { statSync } from 'node:fs'
import { createRun } from '@kgent/runtime'
import type { AddCommand } from '../run-command.ts'
import { addRunFlags, type RunFlags, runOptions } from '../shared-options.ts'
import { CommandFailure, EXIT, printJson } from '../terminal.ts'

interface Flags extends Omit<RunFlags, 'input'> {
  input: string[]
}

export const addCall: AddCommand = (program, terminal, done) => {
  const command = program.command('call <tool>').description('Make one call and print its result as JSON.')
  addRunFlags(command, { input: false })
    .option(
      '--input <value>',
      'arguments as a JSON object, or a folder to mount as inputs; may be given twice',
      collect,
      [],
    )
    .option('--json', 'print JSON (this command always does)')
    .addHelpText(
      'after',
      `\nExample:\n  kgent call read_file --input '{"path":"inputs/app.log"}' --input ./logs`,
    )
    .action(async (tool: string, { input, ...flags }: Flags) => {
      const { args, folder } = readInput(input)
      const run = await createRun(runOptions({ ...flags, ...(folder !== undefined && { input: folder }) }))
      const result = await run.call(tool, args)
      await run.close()
      printJson(terminal, result)
      done(exitCodeOf(result.error?.code))
    })
}

const collect = (value: string, before: string[]) => [...before, value]

/** What looks like JSON is the arguments; a folder that exists is the inputs; anything else is a mistake. */
function readInput(values: readonly string[]): { args: unknown; folder: string | undefined } {
  let args: unknown = {}
  let folder: string | undefined
  for (const value of values) {
    if (/^\s*[{["]/.test(value)) args = parseArguments(value)
    else if (statSync(value, { throwIfNoEntry: false })?.isDirectory()) folder = value
    else
      throw new CommandFailure(
        `--input ${value}: this is neither a JSON object nor a folder that exists.`,
        EXIT.usage,
      )
  }
  return { args, folder }
}

function parseArguments(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (thrown) {
    throw new CommandFailure(
      `--input is not JSON: ${thrown instanceof Error ? thrown.message : 'syntax error'}.`,
      EXIT.usage,
    )
  }
}

const DENIED = [
  'permission_denied',
  'approval_required',
  'approval_rejected',
  'path_outside',
  'path_invalid',
  'read_only',
  'memory_disabled',
]

function exitCodeOf(code: string | undefined): number {
  if (code === undefined) return EXIT.ok
  if (code === 'invalid_input' || code === 'unknown_tool') return EXIT.usage
  return DENIED.includes(code) ? EXIT.denied : EXIT.failed
}
