import { verifyRun } from '@kgent/runtime'
import type { AddCommand } from '../run-command.ts'
import { runFolder } from '../shared-options.ts'
import { EXIT, printJson } from '../terminal.ts'

/** `kgent verify`: is the record of a run as it was written? */
export const addVerify: AddCommand = (program, { terminal, done }) => {
  program
    .command('verify <run>')
    .description('Check that no line of a run’s log was changed, taken out, reordered or cut off.')
    .option('--runs <dir>', 'folder that holds the runs', 'runs')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\n<run> is an id below --runs, or a folder.\n\nExample:\n  kgent verify 20261201-130512-4f1c9a',
    )
    .action(async (run: string, flags: { runs: string; json?: boolean }) => {
      const verification = await verifyRun(runFolder(run, { runs: flags.runs, cwd: terminal.cwd }))
      const { ok, problems, calls } = verification
      if (flags.json) printJson(terminal, verification)
      else {
        for (const { file, message } of problems) terminal.out(`${file}: ${message}\n`)
        terminal.out(
          ok ? `The log is whole: ${calls.recorded} calls.\n` : 'The log is not as it was written.\n',
        )
      }
      done(ok ? EXIT.ok : EXIT.failed)
    })
}
