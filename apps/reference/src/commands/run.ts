import { join, resolve } from 'node:path'
import { createRun, type Run } from '@kgent/runtime'
import { Option } from 'commander'
import { terminalApprover } from '../approver.ts'
import type { LoopEnd } from '../frameworks/agent-loop.ts'
import { FRAMEWORKS, type Framework, loopOf } from '../frameworks/choose-loop.ts'
import { TASKS } from '../instructions.ts'
import { type ChosenModel, chooseModel, SCRIPTED } from '../models/choose-model.ts'
import { placeTools } from '../placed-tools.ts'
import type { AddCommand } from '../run-command.ts'
import { showEnding, showHead } from '../run-view.ts'
import { createScreen, type Screen } from '../screen.ts'
import { JOBS, type Job } from '../scripted/scripted-model.ts'
import { addRunFlags, configFile, type RunFlags, runOptions } from '../shared-options.ts'
import { CommandFailure, EXIT, printJson, type Terminal } from '../terminal.ts'
import { createTimeline } from '../timeline.ts'
import { type CallNotes, watchTools } from '../watch-tools.ts'
import { withSample } from '../with-sample.ts'
import { type WorkerReport, workerLines, workerReport } from '../worker-report.ts'

interface Flags extends RunFlags {
  model?: string
  framework: Framework
  task?: string
  job: Job
  record?: string
  workers?: string
  json?: boolean
  events?: boolean
  quiet?: boolean
}

const HELP_END = `
Without --input it looks through a small sample project.
With KGENT_BASE_URL, KGENT_MODEL and KGENT_API_KEY set, a model behind that OpenAI-compatible endpoint does the work.

--job digest counts what is in a folder of data files (CSV, TSV, JSON, JSON Lines).
--record FILE keeps the model's answers; --model replay:FILE gives them again, without a network.

Example:
  kgent run --input ./my-project
  kgent run --job digest --input ./exports
  kgent run --input ./my-project --events | jq .type`

/** `kgent run`: the main job. */
export const addRun: AddCommand = (program, { terminal, done }) => {
  addRunFlags(program.command('run').description('Look through a folder and write a report.'))
    .option(
      '--model <model>',
      `${SCRIPTED} (no network), replay:FILE, or a model of the endpoint in KGENT_BASE_URL`,
    )
    .addOption(new Option('--job <name>', 'what is done').choices(JOBS).default('findings'))
    .addOption(new Option('--framework <name>', 'what runs the loop').choices(FRAMEWORKS).default('ai-sdk'))
    .option('--task <text>', 'another task than the main job; needs a real model')
    .option('--record <file>', 'add every answer of the model to a file, for --model replay:FILE')
    .option('--workers <address>', 'run the file tools on the workers of this Redis server')
    .option('--json', 'print one JSON value instead of the timeline')
    .option(
      '--events',
      'print every event of the run as a line of JSON, as it happens, and the summary as the last',
    )
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
  if (flags.json && flags.events)
    throw new CommandFailure('--json prints one value and --events many: give one of them.', EXIT.usage)
  const { cwd, environment } = terminal
  const chosen = await chooseModel({ ...flags, cwd, environment })
  if (flags.task !== undefined && chosen.isScripted)
    throw new CommandFailure(
      `--task: the ${SCRIPTED} planner knows only its own job; name a real model.`,
      EXIT.usage,
    )
  const screen = createScreen({ write: terminal.out, columns: terminal.columns, silent: silentOf(flags) })
  return work({ flags: withSample(flags, terminal.cwd), terminal, chosen, screen })
}

function silentOf({ json, events, quiet }: Flags): boolean {
  return json === true || events === true || quiet === true
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
    onEvent: flags.events ? (event) => terminal.out(`${JSON.stringify(event)}\n`) : timeline,
    ...(approver && { approver }),
  })
  const placed = placeTools(run, { workers: flags.workers, runsDir: resolve(terminal.cwd, flags.runs) })
  notes = watchTools(placed.tools)
  showHead(screen, { run, colours, rows: headRows(flags, { chosen, cwd: terminal.cwd }) })
  const loop = await loopOf(flags.framework)
  const end = await loop(run, {
    model: chosen.model,
    task: flags.task ?? TASKS[flags.job],
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
  const report = delivered[0] ?? null
  const { text, steps } = end
  const all = {
    ...summary,
    model: chosen.label,
    report,
    delivered,
    text,
    steps,
    milliseconds,
    failure,
    ...(workers && { workers }),
  }
  if (flags.json) printJson(terminal, all)
  else if (flags.events) terminal.out(`${JSON.stringify({ type: 'run.summary', ...all })}\n`)
  else if (flags.quiet) terminal.out(delivered.map((path) => `${path}\n`).join(''))
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
