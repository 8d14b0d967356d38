import type { EffectivePermissionPolicy } from '@kgent/contracts'
import type { AddCommand } from '../run-command.ts'
import { addRunFlags, type RunFlags } from '../shared-options.ts'
import { withTemporaryRun } from '../temporary-run.ts'
import { printJson } from '../terminal.ts'

/** `kgent policy check`: does the policy load, and is there anything in it that does nothing? For the CI of a config. */
export const addCheck: AddCommand = (policy, { terminal }) => {
  addRunFlags(
    policy
      .command('check')
      .description('Load the policy and print its problems. Fails where a run would not start.'),
  )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kgent policy check --config kgent.config.json')
    .action(async (flags: RunFlags & { json?: boolean }) => {
      const found = await withTemporaryRun({ flags, cwd: terminal.cwd }, ({ policy: merged }) =>
        summaryOf(merged),
      )
      if (flags.json) return printJson(terminal, found)
      for (const { place, message } of found.warnings) terminal.out(`warning  ${place}: ${message}\n`)
      for (const { requestedBy, permission, granted, reason } of found.wishes) {
        terminal.out(
          `wish     ${requestedBy} asks for ${permission}: ${granted ? 'granted' : 'refused'} (${reason})\n`,
        )
      }
      terminal.out(
        `The policy loads: ${found.rules} rules, ${found.warnings.length} warnings, mode ${found.mode}.\n`,
      )
    })
}

function summaryOf({ rules, warnings, wishes, mode }: EffectivePermissionPolicy) {
  return { mode, rules: rules.length, warnings, wishes }
}
