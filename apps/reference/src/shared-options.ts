import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CreateRunOptions } from '@kgent/runtime'
import type { Command } from 'commander'
import { CommandFailure, EXIT } from './terminal.ts'

const DEFAULT_CONFIG = 'kgent.config.json'

/** Options of every command that opens a run. */
export interface RunFlags {
  input?: string
  runs: string
  run?: string
  skills?: string
  config?: string
}

/** Adds the options that say where a run looks and writes. */
export function addRunFlags(command: Command, { input = true } = {}): Command {
  if (input) command.option('--input <dir>', 'folder to look at, mounted read-only as inputs')
  return command
    .option('--runs <dir>', 'folder that holds the runs', 'runs')
    .option('--run <id>', 'id of the run; an existing one is continued')
    .option('--skills <dir>', 'folder of skills')
    .option(
      '--config <file>',
      `config file (default: ${DEFAULT_CONFIG} in the working folder, if there is one)`,
    )
}

/** What `createRun` needs, from the options. **Throws:** `CommandFailure` for a folder that is not there. */
export function runOptions(flags: RunFlags): CreateRunOptions {
  const config = flags.config ?? (existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined)
  return {
    runsDir: resolve(flags.runs),
    ...(flags.run !== undefined && { runId: flags.run }),
    ...(config !== undefined && { configFile: config }),
    ...(flags.input !== undefined && {
      mounts: [{ name: 'inputs', dir: existingFolder('--input', flags.input) }],
    }),
    skillDirs: [flags.skills === undefined ? ownFolder('skills') : existingFolder('--skills', flags.skills)],
  }
}

/** A folder that is shipped with the app. */
export function ownFolder(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url))
}

function existingFolder(option: string, path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return resolve(path)
  throw new CommandFailure(
    `${option} ${path}: ${stats ? 'this is not a folder' : 'there is no such folder'}.`,
    EXIT.usage,
  )
}
