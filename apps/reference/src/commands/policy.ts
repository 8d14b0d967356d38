import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PermissionDecision } from '@kgent/contracts'
import { createRun, explainPolicy, type Run } from '@kgent/runtime'
import type { AddCommand } from '../run-command.ts'
import { addRunFlags, type RunFlags, runOptions } from '../shared-options.ts'
import { printJson } from '../terminal.ts'

interface Flags extends RunFlags {
  tool?: string
  path?: string
  permission?: string
  json?: boolean
}

export const addPolicy: AddCommand = (program, terminal) => {
  const policy = program.command('policy').description('Look at the policy that a run would have.')
  addRunFlags(
    policy.command('explain').description('Say what is decided, by which rule and why. Runs nothing.'),
  )
    .option('--tool <name>', 'only this tool')
    .option('--path <path>', 'a sandbox path; links are followed')
    .option('--permission <name>', 'only this permission')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kgent policy explain --input ./project --path inputs/.env')
    .action(async (flags: Flags) => {
      const runsDir = mkdtempSync(join(tmpdir(), 'kgent-policy-'))
      const run = await createRun({ ...runOptions(flags), runsDir })
      try {
        const rows = await explanations(run, flags)
        if (flags.json) printJson(terminal, rows)
        else terminal.out(tableOf(rows))
      } finally {
        await run.close()
        rmSync(runsDir, { recursive: true, force: true })
      }
    })
}

async function explanations(run: Run, flags: Flags): Promise<PermissionDecision[]> {
  const path = flags.path === undefined ? undefined : await resolved(run, flags.path)
  const permissions = flags.permission ? [flags.permission] : path === undefined ? ALL : FILES
  return permissions.map((permission) => {
    const request = { permission, tool: flags.tool ?? '*', ...(path !== undefined && { path }) }
    return explainPolicy(run.policy, request).decision
  })
}

function tableOf(decisions: readonly PermissionDecision[]): string {
  const head = ['permission', 'resource', 'decision', 'layer', 'rule', 'reason']
  const rows = decisions.map((d) => [
    d.permission,
    d.resource ?? '–',
    d.decision,
    d.layer,
    d.rule ?? '–',
    d.reason,
  ])
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return `${[head, ...rows].map(line).join('\n')}\n`
}

const FILES = ['filesystemRead', 'filesystemWrite', 'filesystemDelete']
const ALL = [...FILES, 'shell', 'network', 'memoryWrite']

async function resolved(run: Run, path: string): Promise<string> {
  const answer = await run.context.sandbox.resolvePath(path)
  return answer.ok ? answer.value.path : path
}
