import type { PromotionReport } from '@kgent/memory'
import { externalMemory, loadConfig } from '@kgent/runtime'
import type { Command } from 'commander'
import { configFile } from '../shared-options.ts'
import { CommandFailure, EXIT, printJson, type Terminal } from '../terminal.ts'
import { open, shared } from './open-review.ts'

interface Flags {
  runs: string
  config?: string
  json?: boolean
  allowFlagged?: boolean
}

/** `kgent memory promote`: what a person has accepted goes to the external memory, each item exactly once. */
export function addPromote(memory: Command, terminal: Terminal): void {
  shared(
    memory.command('promote').description('Store what is accepted in the external memory of the config.'),
  )
    .option('--config <file>', 'config file with memory.external')
    .option('--allow-flagged', 'also what looks like a secret')
    .addHelpText('after', '\nExample:\n  kgent memory promote --config kgent.config.json')
    .action(async (flags: Flags) => {
      const report = await promote(flags, terminal)
      if (flags.json) printJson(terminal, report)
      else terminal.out(`${report.stored} stored, ${report.skipped} skipped, ${report.failed} failed\n`)
      const failure = report.groups.find(({ error }) => error !== null)?.error
      if (failure) throw new CommandFailure(failure.message)
    })
}

async function promote(flags: Flags, terminal: Terminal): Promise<PromotionReport> {
  const file = configFile(flags, terminal.cwd)
  const client = file === undefined ? undefined : externalMemory(loadConfig({ configFile: file }).config)
  if (!client)
    throw new CommandFailure(
      'There is no external memory to promote to: set memory.external in the config.',
      EXIT.usage,
    )
  return open(flags, terminal).promote(client, { allowFlagged: flags.allowFlagged === true })
}
