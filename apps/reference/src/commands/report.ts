import { countWaiting } from '@kgent/memory'
import { type ReportData, reportData, writeReport } from '@kgent/runtime'
import type { AddCommand } from '../run-command.ts'
import { runFolder } from '../shared-options.ts'
import { printJson } from '../terminal.ts'

interface Flags {
  runs: string
  json?: boolean
  text?: boolean
}

/** `kgent report`: what a run did, as one HTML page, as text, or as JSON. */
export const addReport: AddCommand = (program, { terminal }) => {
  program
    .command('report <run>')
    .description('Write report.html into the folder of a run: one page that needs no network.')
    .option('--runs <dir>', 'folder that holds the runs', 'runs')
    .option('--text', 'print the totals as text and write nothing')
    .option('--json', 'print everything as JSON and write nothing')
    .addHelpText(
      'after',
      '\n<run> is an id below --runs, or a folder.\n\nExample:\n  kgent report 20261201-130512-4f1c9a',
    )
    .action(async (run: string, flags: Flags) => {
      const dir = runFolder(run, { runs: flags.runs, cwd: terminal.cwd })
      const options = {
        memoryWaiting: await countWaiting(dir),
        reviewCommand: `kgent memory list --runs ${flags.runs}`,
      }
      if (flags.json) printJson(terminal, await reportData(dir, options))
      else if (flags.text) terminal.out(textOf(await reportData(dir, options)))
      else terminal.out(`${await writeReport(dir, options)}\n`)
    })
}

function textOf({ run, calls, memoryWaiting, verification }: ReportData): string {
  const byStatus = new Map<string, number>()
  for (const { status } of calls) byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
  const refused = calls.filter(({ status }) => status === 'denied' || status === 'interrupted')
  return [
    `run ${run.id}: ${run.status}, ${calls.length} calls (${[...byStatus].map(([status, count]) => `${count} ${status}`).join(', ')})`,
    ...refused.map(({ status, tool, summary }) => `  ${status}  ${tool}: ${summary}`),
    `memory: ${memoryWaiting} waiting`,
    verification.text,
    '',
  ].join('\n')
}
