import type { AddCommand } from '../run-command.ts'
import { addRunFlags, type RunFlags } from '../shared-options.ts'
import { withTemporaryRun } from '../temporary-run.ts'
import { printJson } from '../terminal.ts'

/** `kgent tools`: what a run would offer to a model. */
export const addTools: AddCommand = (program, { terminal }) => {
  addRunFlags(program.command('tools').description('List the tools that a run with these options has.'))
    .option('--json', 'with input schemas, as JSON')
    .addHelpText('after', '\nExample:\n  kgent tools --config kgent.config.json --json')
    .action(async (flags: RunFlags & { json?: boolean }) => {
      const tools = await withTemporaryRun({ flags, cwd: terminal.cwd }, (run) =>
        run.tools.map((tool) => ({
          name: tool.name,
          title: tool.title,
          description: tool.description,
          annotations: tool.annotations,
          inputSchema: tool.jsonSchema(),
        })),
      )
      if (flags.json) return printJson(terminal, tools)
      for (const { name, description } of tools) terminal.out(`${name.padEnd(14)} ${description}\n`)
    })
}
