import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createRun, type Run, type RunSummary } from '@kgent/runtime'
import pc from 'picocolors'
import { agentLoop, type LoopEnd } from '../agent-loop.ts'
import { type ChosenModel, chooseModel } from '../models/choose-model.ts'
import type { AddCommand } from '../run-command.ts'
import { addRunFlags, ownFolder, type RunFlags, runOptions } from '../shared-options.ts'
import { CommandFailure, EXIT, printJson, type Terminal } from '../terminal.ts'
import { createTimeline } from '../timeline.ts'

interface Flags extends RunFlags {
  model?: string
  framework: string
  json?: boolean
  quiet?: boolean
}

export const addRun: AddCommand = (program, terminal, done) => {
  addRunFlags(program.command('run').description('Look through a folder and write a findings report.'))
    .option(
      '--model <model>',
      'scripted (no network, the default), or a model of the endpoint in KGENT_BASE_URL',
    )
    .option('--framework <name>', 'agent framework that runs the loop', 'ai-sdk')
    .option('--json', 'print one JSON value instead of the timeline')
    .option('--quiet', 'print only where the report is')
    .addHelpText('after', '\nExample:\n  kgent run --input ./my-project')
    .action(async (flags: Flags) => done(await runTask(flags, terminal)))
}

async function runTask(flags: Flags, terminal: Terminal): Promise<number> {
  if (flags.framework !== 'ai-sdk')
    throw new CommandFailure(`--framework ${flags.framework}: only ai-sdk is there.`, EXIT.usage)
  const chosen = chooseModel(flags.model, terminal.environment)
  const input = flags.input ?? ownFolder('sample')
  const print = flags.json || flags.quiet ? () => {} : (line: string) => terminal.out(`${line}\n`)
  const run = await createRun({
    ...runOptions({ ...flags, input }),
    secrets: chosen.secrets,
    onEvent: createTimeline({ colours: terminal.colours, print }),
  })
  printHead(print, { run, chosen, input, terminal })
  const { end, interrupted } = await untilInterrupted((signal) => agentLoop(run, chosen.model, signal))
  const summary = await run.close({
    status: interrupted ? 'interrupted' : end.failure ? 'failed' : 'completed',
  })
  const report = join(run.dir, 'deliverables', 'report.md')
  const reportPath = existsSync(report) ? report : null
  if (flags.json)
    printJson(terminal, {
      ...summary,
      report: reportPath,
      text: end.text,
      failure: end.failure,
      model: chosen.label,
    })
  else if (flags.quiet && reportPath) terminal.out(`${reportPath}\n`)
  else printEnd(print, { summary, end, reportPath, terminal })
  if (interrupted) return EXIT.interrupted
  if (end.failure) throw new CommandFailure(`the model's loop ended early: ${end.failure}`)
  return EXIT.ok
}

/** Ctrl-C ends the loop and lets the run be closed; a second one ends the process. */
async function untilInterrupted(
  work: (signal: AbortSignal) => Promise<LoopEnd>,
): Promise<{ end: LoopEnd; interrupted: boolean }> {
  const controller = new AbortController()
  const interrupt = () => controller.abort()
  process.once('SIGINT', interrupt)
  const end = await work(controller.signal)
  process.off('SIGINT', interrupt)
  return { end, interrupted: controller.signal.aborted }
}

function printHead(
  print: (line: string) => void,
  head: { run: Run; chosen: ChosenModel; input: string; terminal: Terminal },
): void {
  const colours = pc.createColors(head.terminal.colours)
  print(`${colours.bold('kgent')} run ${head.run.id}`)
  print(colours.dim(`  looks at   ${head.input}`))
  print(colours.dim(`  planned by ${head.chosen.label}`))
  for (const warning of head.run.warnings) print(colours.yellow(`  note       ${warning}`))
  print('')
}

interface End {
  summary: RunSummary
  end: LoopEnd
  reportPath: string | null
  terminal: Terminal
}

function printEnd(print: (line: string) => void, { summary, end, reportPath, terminal }: End): void {
  const colours = pc.createColors(terminal.colours)
  const statuses = Object.entries(summary.byStatus).map(([status, count]) => `${count} ${status}`)
  print('')
  if (end.text) print(end.text)
  print(`${summary.calls} calls: ${statuses.join(', ')}`)
  for (const { tool, resource, reason, layer } of summary.refusals) {
    print(
      colours.yellow(
        `  refused  ${tool}${resource ? ` on ${resource}` : ''}: ${reason} (${layer ?? 'core'})`,
      ),
    )
  }
  print(`  report   ${reportPath ? colours.bold(reportPath) : 'none was written'}`)
  print(`  run      ${summary.dir}`)
  if (summary.memory.waiting > 0)
    print(`  memory   ${summary.memory.waiting} candidate(s) wait for review: archive/candidate-memory.jsonl`)
  if (summary.log.failure) print(colours.red(`  log      ${summary.log.failure.message}`))
}
