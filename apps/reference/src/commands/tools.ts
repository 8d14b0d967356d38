import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRun } from '@kgent/runtime'
import type { AddCommand } from '../run-command.ts'
import { addRunFlags, type RunFlags, runOptions } from '../shared-options.ts'
import { printJson } from '../terminal.ts'

export const addTools: AddCommand = (program, terminal) => {
  addRunFlags(program.command('tools').description('List the tools that a run with these options has.'))
    .option('--json', 'with input schemas, as JSON')
    .addHelpText('after', '\nExample:\n  kgent tools --config kgent.config.json --json')
    .action(async (flags: RunFlags & { json?: boolean }) => {
      const runsDir = mkdtempSync(join(tmpdir(), 'kgent-tools-'))
      const run = await createRun({ ...runOptions(flags), runsDir })
      const tools = run.tools.map((tool) => ({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        annotations: tool.annotations,
        inputSchema: tool.jsonSchema(),
      }))
      await run.close()
      rmSync(runsDir, { recursive: true, force: true })
      if (flags.json) return printJson(terminal, tools)
      for (const { name, description } of tools) terminal.out(`${name.padEnd(14)} ${description}\n`)
    })
}
