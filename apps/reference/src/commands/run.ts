import { join, resolve } from 'node:path'
import { createRun, loadConfig, type Run } from '@kgent/runtime'
import { Option } from 'commander'
import { agentLoop, type LoopEnd } from '../agent-loop.ts'
import { terminalApprover } from '../approver.ts'
import { MAIN_TASK } from '../instructions.ts'
import { type ChosenModel, chooseModel, SCRIPTED } from '../models/choose-model.ts'
import { placeTools } from '../placed-tools.ts'
import type { AddCommand } from '../run-command.ts'
import { showEnding, showHead } from '../run-view.ts'
import { createScreen, type Screen } from '../screen.ts'
import { addRunFlags, configFile, ownPath, type RunFlags, runOptions } from '../shared-options.ts'
import { CommandFailure, EXIT, printJson, type Terminal } from '../terminal.ts'
import { createTimeline } from '../timeline.ts'
import { type CallNotes, watchTools } from '../watch-tools.ts'
import { type WorkerReport, workerLines, workerReport } from '../worker-report.ts'

interface Flags extends RunFlags {
  model?: string
  framework: string
  task?: string
  workers?: string
  json?: boolean
  quiet?: boolean
}

const HELP_END = `
Without --input it looks through a small sample project.
With KGENT_BASE_URL, KGENT_MODEL and KGENT_API_KEY set, a model behind that OpenAI-compatible endpoint does the work.

Example:
  kgent run --input ./my-project`

/** `kgent run`: the main job. */
export const addRun: AddCommand = (program, { terminal, done }) => {
  addRunFlags(program.command('run').description('Look through a folder and write a findings report.'))
    .option('--model <model>', `${SCRIPTED} (no network), or a model of the endpoint in KGENT_BASE_URL`)
    .addOption(new Option('--framework <name>', 'what runs the loop').choices(['ai-sdk']).default('ai-sdk'))
    .option('--task <text>', 'another task than the main job; needs a real model')
    .option('--workers <address>', 'run the file tools on the workers of this Redis server')
    .option('--json', 'print one JSON value instead of the timeline')
    .option('--quiet', 'print only where the report is')
    .addHelpText('after', HELP_END)
    .action(async (flags: Flags) => done(await runTask(flags, terminal)))
}

interface Work {
  flags: Flags
  terminal: Terminal
  chosen: ChosenModel
  screen: Screen
}

async function runTask(flags: Flags, terminal: Terminal): Promise<number> {
  const chosen = await chooseModel(flags.model, terminal.environment)
  if (flags.task !== undefined && chosen.isScripted)
    throw new CommandFailure(
      `--task: the ${SCRIPTED} planner knows only its own job; name a real model.`,
      EXIT.usage,
    )
  const screen = createScreen({ write: terminal.out, columns: terminal.columns, silent: silentOf(flags) })
  return work({ flags: withSample(flags, terminal.cwd), terminal, chosen, screen })
}

function silentOf({ json, quiet }: Flags): boolean {
  return json === true || quiet === true
}

async function work({ flags, terminal, chosen, screen }: Work): Promise<number> {
  const startedAt = performance.now()
  let notes: CallNotes | undefined
  const { colours, columns } = terminal
  const timeline = createTimeline({ screen, colours, columns, noteOf: (id) => notes?.noteOf(id) ?? '' })
  const approver = screen.isLive ? terminalApprover(terminal, screen) : undefined
  const run = await createRun({
    ...runOptions(flags, terminal.cwd),
    secrets: chosen.secrets,
    onEvent: timeline,
    ...(approver && { approver }),
  })
  const placed = placeTools(run, { workers: flags.workers, runsDir: resolve(terminal.cwd, flags.runs) })
  notes = watchTools(placed.tools)
  showHead(screen, { run, colours, rows: headRows(flags, { chosen, cwd: terminal.cwd }) })
  const end = await agentLoop(run, {
    model: chosen.model,
    task: flags.task ?? MAIN_TASK,
    tools: notes.tools,
    signal: terminal.interrupted,
    onWords: (text) => screen.words(text),
  })
  const workers = await workerReport(flags.workers, placed)
  return ended({ flags, terminal, chosen, screen }, { run, notes, end, startedAt, workers })
}

interface Ending {
  run: Run
  notes: CallNotes
  end: LoopEnd
  startedAt: number
  workers: WorkerReport | null
}

async function ended(
  { flags, terminal, chosen, screen }: Work,
  { run, notes, end, startedAt, workers }: Ending,
): Promise<number> {
  const { aborted } = terminal.interrupted
  const failure = end.failure ?? missingReport(flags, notes)
  const summary = await run.close({ status: aborted ? 'interrupted' : failure ? 'failed' : 'completed' })
  const delivered = notes.deliverables.map((path) => join(run.dir, path))
  const milliseconds = Math.round(performance.now() - startedAt)
  if (flags.json) {
    const report = delivered[0] ?? null
    printJson(terminal, {
      ...summary,
      model: chosen.label,
      report,
      delivered,
      text: end.text,
      steps: end.steps,
      milliseconds,
      failure,
      ...(workers && { workers }),
    })
  } else if (flags.quiet) terminal.out(delivered.map((path) => `${path}\n`).join(''))
  else
    showEnding(screen, {
      summary,
      delivered,
      milliseconds,
      command: terminal.command ?? 'kgent',
      runsFlag: runsFlag(flags),
      colours: terminal.colours,
    })
  if (workers && !silentOf(flags)) terminal.out(workerLines(workers))
  if (aborted) return EXIT.interrupted
  if (failure !== null) throw new CommandFailure(`The model did not finish: ${failure}`)
  return EXIT.ok
}

/** The main job is not done without a report, whatever the model says. */
function missingReport(flags: Flags, { deliverables }: CallNotes): string | null {
  return flags.task === undefined && deliverables.length === 0
    ? 'nothing was written below deliverables/'
    : null
}

/** Without a folder of the person's own, the sample that is shipped with the app is looked through, by its config. */
function withSample(flags: Flags, cwd: string): Flags {
  const config = configFile(flags, cwd)
  if (flags.input !== undefined) return flags
  if (config === undefined)
    return { ...flags, input: ownPath('sample/inputs'), config: ownPath('sample/kgent.config.json') }
  const mounts = loadConfig({ configFile: config }).config.sandbox?.mounts ?? []
  return mounts.some(({ name }) => name === 'inputs') ? flags : { ...flags, input: ownPath('sample/inputs') }
}

function headRows(
  flags: Flags,
  { chosen, cwd }: { chosen: ChosenModel; cwd: string },
): (readonly [string, string])[] {
  const config = configFile(flags, cwd)
  const input =
    flags.input === undefined
      ? 'inputs, as the config mounts it'
      : `${resolve(cwd, flags.input)} (read-only, as inputs/)`
  return [
    ['input', input],
    ['model', chosen.label],
    ...(config === undefined ? [] : [['config', config] as const]),
  ]
}

/** The option that the next command needs to find this run, as it was given. */
function runsFlag({ runs }: Flags): string {
  if (runs === 'runs') return ''
  return ` --runs ${/^[\w./-]+$/.test(runs) ? runs : JSON.stringify(runs)}`
}
