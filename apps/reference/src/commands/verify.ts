import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { verifyRun } from '@kgent/runtime'
import type { AddCommand } from '../run-command.ts'
import { EXIT, printJson } from '../terminal.ts'

export const addVerify: AddCommand = (program, terminal, done) => {
  program
    .command('verify <run>')
    .description('Check that no line of a run’s log was changed, taken out, reordered or cut off.')
    .option('--runs <dir>', 'folder that holds the runs', 'runs')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kgent verify 20261201-130512-4f1c9a')
    .action(async (run: string, flags: { runs: string; json?: boolean }) => {
      const inRuns = join(flags.runs, run)
      const verification = await verifyRun(existsSync(inRuns) ? resolve(inRuns) : resolve(run))
      if (flags.json) printJson(terminal, verification)
      else {
        for (const { file, message } of verification.problems) terminal.out(`${file}: ${message}\n`)
        terminal.out(
          verification.ok
            ? `The log is whole: ${verification.calls.recorded} calls.\n`
            : 'The log is not as it was written.\n',
        )
      }
      done(verification.ok ? EXIT.ok : EXIT.failed)
    })
}
