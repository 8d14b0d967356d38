import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
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
    .option('--skills <dir>', 'folder of skills, instead of those that come with kgent')
    .option('--config <file>', `config file (default: ${DEFAULT_CONFIG}, if the working folder has one)`)
}

/** What `createRun` needs, from the options. **Throws:** `CommandFailure` for a folder that is not there. */
export function runOptions(flags: RunFlags, cwd: string): CreateRunOptions {
  const config = configFile(flags, cwd)
  const input = flags.input === undefined ? undefined : folderAt(flags.input, { cwd, option: '--input' })
  const skills =
    flags.skills === undefined ? ownPath('skills') : folderAt(flags.skills, { cwd, option: '--skills' })
  return {
    runsDir: resolve(cwd, flags.runs),
    ...(flags.run !== undefined && { runId: flags.run }),
    ...(config !== undefined && { configFile: config }),
    ...(input !== undefined && { mounts: [{ name: 'inputs', dir: input }] }),
    skillDirs: [skills],
  }
}

/** The config file that is meant: the one that is named, or the one in the working folder. */
export function configFile(flags: Pick<RunFlags, 'config'>, cwd: string): string | undefined {
  if (flags.config !== undefined) {
    const file = resolve(cwd, flags.config)
    if (existsSync(file)) return file
    throw new CommandFailure(`--config ${flags.config} does not exist.`, EXIT.usage)
  }
  const here = join(cwd, DEFAULT_CONFIG)
  return existsSync(here) ? here : undefined
}

/** Host path of a run that a person names: an id below the runs folder, or a folder anywhere. */
export function runFolder(run: string, { runs, cwd }: { runs: string; cwd: string }): string {
  const found = [resolve(cwd, runs, run), resolve(cwd, run)].find((dir) => existsSync(dir))
  if (found !== undefined) return found
  throw new CommandFailure(`There is no run ${run} below ${runs}, and no such folder.`)
}

/** A file or folder that is shipped with the app. */
export function ownPath(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url))
}

/** Host path of a folder that must be there. **Throws:** `CommandFailure`. */
export function folderAt(path: string, { cwd, option }: { cwd: string; option: string }): string {
  const folder = resolve(cwd, path)
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return folder
  throw new CommandFailure(
    `${option} ${path}: ${stats ? 'this is not a folder' : 'there is no such folder'}.`,
    EXIT.usage,
  )
}
