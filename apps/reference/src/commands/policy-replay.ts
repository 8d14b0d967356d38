import { readRecords } from '@kgent/logging'
import { type ReplayReport, replayRecords } from '@kgent/permissions'
import type { AddCommand } from '../run-command.ts'
import { addRunFlags, type RunFlags, runFolder } from '../shared-options.ts'
import { tableOf } from '../table.ts'
import { withTemporaryRun } from '../temporary-run.ts'
import { printJson } from '../terminal.ts'

/** `kgent policy replay`: which recorded calls another policy would have decided differently. */
export const addReplay: AddCommand = (policy, { terminal }) => {
  const command = policy.command('replay <run>')
  addRunFlags(
    command.description(
      'List the calls of a run that another policy would decide differently. Runs nothing.',
    ),
  )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nThe other policy is that of --config; give --input as the run had it.\n\nExample:\n  kgent policy replay 20261201-130512-4f1c9a --config stricter.json',
    )
    .action(async (id: string, flags: RunFlags & { json?: boolean }) => {
      const dir = runFolder(id, { runs: flags.runs, cwd: terminal.cwd })
      const report = await withTemporaryRun({ flags, cwd: terminal.cwd }, (run) =>
        replayRecords(readRecords(dir), run.policy),
      )
      if (flags.json) printJson(terminal, report)
      else terminal.out(textOf(report))
    })
}

function textOf({ calls, decisions, changed }: ReplayReport): string {
  const summary = `${calls} calls, ${decisions} decisions: ${changed.length} calls would change.\n`
  if (changed.length === 0) return summary
  const rows = changed.flatMap(({ seq, tool, changes }) =>
    changes.map(({ was, now, change }) => [
      String(seq),
      tool,
      `${was.permission} on ${was.resource ?? '–'}`,
      `${was.decision} → ${now.observed ?? now.decision}`,
      change,
      now.rule ?? now.layer,
    ]),
  )
  return tableOf(['call', 'tool', 'about', 'decision', 'change', 'rule'], rows) + summary
}
