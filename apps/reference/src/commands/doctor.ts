import { accessSync, constants, existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { loadConfig } from '@kgent/runtime'
import type { AddCommand } from '../run-command.ts'
import { addRunFlags, configFile, type RunFlags } from '../shared-options.ts'
import { tableOf } from '../table.ts'
import { withTemporaryRun } from '../temporary-run.ts'
import { EXIT, printJson, type Terminal } from '../terminal.ts'

const ANSWER_MS = 3_000

/** `ok`; `weaker`: works, with less than it could; `missing`: something does not work. */
interface Check {
  what: string
  state: 'ok' | 'weaker' | 'missing'
  says: string
}

/** `kgent doctor`: what this machine can guarantee, and what is missing. */
export const addDoctor: AddCommand = (program, { terminal, done }) => {
  addRunFlags(
    program.command('doctor').description('Say what this machine can guarantee and what is missing.'),
  )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit code 1 when something is missing.\n\nExample:\n  kgent doctor --runs ./runs',
    )
    .action(async (flags: RunFlags & { json?: boolean }) => {
      const checks = await allChecks(flags, terminal)
      if (flags.json) printJson(terminal, checks)
      else
        terminal.out(
          tableOf(
            ['check', 'state', ''],
            checks.map(({ what, state, says }) => [what, state, says]),
          ),
        )
      if (checks.some(({ state }) => state === 'missing')) done(EXIT.failed)
    })
}

async function allChecks(flags: RunFlags, terminal: Terminal): Promise<Check[]> {
  return [
    checkNode(),
    await checkSandbox(terminal),
    checkRuns(resolve(terminal.cwd, flags.runs), flags.runs),
    checkConfig(flags, terminal),
    await checkModel(terminal),
    checkPerson(terminal),
  ]
}

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isEnough = major > 20 || (major === 20 && minor >= 19)
  return {
    what: 'Node',
    state: isEnough ? 'ok' : 'missing',
    says: isEnough ? process.versions.node : `${process.versions.node}; kgent needs 20.19 or newer`,
  }
}

/** Opens a run and writes a file in it, so that what is said here has been seen. */
async function checkSandbox({ cwd }: Terminal): Promise<Check> {
  const what = 'sandbox'
  try {
    return await withTemporaryRun({ flags: { runs: 'runs' }, cwd }, async ({ context, call }) => {
      const { guarantee, mounts } = context.sandbox
      const written = await call('write_file', { path: 'workspace/doctor.txt', content: 'x' })
      if (!written.ok) return { what, state: 'missing', says: `a file cannot be written: ${written.summary}` }
      const cases = mounts.some(({ ignoresCase }) => ignoresCase) ? '; the disk ignores case' : ''
      return guarantee === 'race-free'
        ? { what, state: 'ok', says: `race-free: opening and checking a path are one act${cases}` }
        : {
            what,
            state: 'weaker',
            says: `checked: paths are checked before use; who can swap folders meanwhile is not kept out${cases}`,
          }
    })
  } catch (thrown) {
    return { what, state: 'missing', says: thrown instanceof Error ? thrown.message : 'it cannot be opened' }
  }
}

/** Whether runs can be kept there. A folder that is not there yet is made and taken away again. */
function checkRuns(dir: string, shown: string): Check {
  const what = 'runs folder'
  try {
    if (existsSync(dir)) accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK)
    else {
      const first = mkdirSync(dir, { recursive: true })
      for (let made = dir; first && made.length >= first.length; made = dirname(made)) rmdirSync(made)
    }
    return { what, state: 'ok', says: `${shown} can be written` }
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    return {
      what,
      state: 'missing',
      says: `${shown} cannot be written (${code}): name another one with --runs`,
    }
  }
}

function checkConfig(flags: RunFlags, { cwd }: Terminal): Check {
  const what = 'config'
  const file = configFile(flags, cwd)
  if (file === undefined)
    return { what, state: 'ok', says: 'none here, so the defaults hold; kgent init writes one' }
  try {
    loadConfig({ configFile: file })
    return { what, state: 'ok', says: `${file} is valid` }
  } catch (thrown) {
    return {
      what,
      state: 'missing',
      says: thrown instanceof Error ? thrown.message : `${file} cannot be read`,
    }
  }
}

async function checkModel({ environment }: Terminal): Promise<Check> {
  const what = 'model'
  const { KGENT_BASE_URL: address, KGENT_MODEL: model, KGENT_API_KEY: key } = environment
  if (!address) return { what, state: 'weaker', says: 'only the scripted planner: KGENT_BASE_URL is not set' }
  if (!URL.canParse(address)) return { what, state: 'missing', says: 'KGENT_BASE_URL is no address' }
  if (!model) return { what, state: 'missing', says: 'KGENT_MODEL is not set' }
  const { host } = new URL(address)
  try {
    const { status } = await fetch(`${address.replace(/\/$/, '')}/models`, {
      headers: key ? { authorization: `Bearer ${key}` } : {},
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    const isRefused = status === 401 || status === 403
    return isRefused
      ? { what, state: 'missing', says: `${host} refuses KGENT_API_KEY (${status})` }
      : { what, state: 'ok', says: `${model} at ${host}, which answers` }
  } catch {
    return { what, state: 'missing', says: `${host} does not answer` }
  }
}

function checkPerson({ ask }: Terminal): Check {
  return ask
    ? { what: 'approvals', state: 'ok', says: 'asked here, in the terminal' }
    : {
        what: 'approvals',
        state: 'weaker',
        says: 'nobody can be asked here: what a rule wants asked about is denied',
      }
}
