import { scanForSecrets } from '@kgent/logging'
import { type MemoryReview, openMemoryReview } from '@kgent/memory'
import type { Command } from 'commander'
import { folderAt } from '../shared-options.ts'
import type { Terminal } from '../terminal.ts'

/** Options that every command over the runs has. */
export function shared(command: Command): Command {
  return command.option('--runs <dir>', 'folder that holds the runs', 'runs').option('--json', 'print JSON')
}

/** The review over all runs of a folder. */
export function open({ runs }: { runs: string }, { cwd, environment }: Terminal): MemoryReview {
  const by = environment.USER ?? environment.USERNAME
  const runsDir = folderAt(runs, { cwd, option: '--runs' })
  return openMemoryReview({ runsDir, scanSecrets: scanForSecrets, ...(by && { by }) })
}
