import { BASE_PERMISSIONS, type PermissionDecision } from '@kgent/contracts'
import { createRun, explainPolicy, type Run } from '@kgent/runtime'
import type { AddCommand } from '../run-command.ts'
import { addRunFlags, type RunFlags, runOptions } from '../shared-options.ts'
import { inTemporaryRuns } from '../temporary-runs.ts'
import { printJson } from '../terminal.ts'

interface Flags extends RunFlags {
  tool?: string
  path?: string
  scope?: string
  permission?: string
  json?: boolean
}

/** `kgent policy`: what the policy of a run says, and why. */
export const addPolicy: AddCommand = (program, { terminal }) => {
  const policy = program.command('policy').description('Look at the policy that a run would have.')
  const command = policy
    .command('explain')
    .description('Say what is decided, by which rule and why. Runs nothing.')
  addRunFlags(command)
    .option('--path <path>', 'a sandbox path such as inputs/.env; links are followed')
    .option('--scope <scope>', 'a memory scope')
    .option('--tool <name>', 'as this tool asks')
    .option('--permission <name>', 'only this permission')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kgent policy explain --input ./project --path inputs/.env')
    .action(async (flags: Flags) => {
      const options = runOptions(flags, terminal.cwd)
      const decisions = await inTemporaryRuns(async (runsDir) => {
        const run = await createRun({ ...options, runsDir })
        const explained = await explainAll(run, flags)
        await run.close()
        return explained
      })
      if (flags.json) printJson(terminal, decisions)
      else terminal.out(tableOf(decisions))
    })
}

async function explainAll(run: Run, flags: Flags): Promise<PermissionDecision[]> {
  const { tool = '*', scope } = flags
  const about = { tool, ...(scope !== undefined && { scope }), ...(await resolvedPath(run, flags.path)) }
  const permissions = flags.permission
    ? [flags.permission]
    : BASE_PERMISSIONS.filter((one) => concerns(one, flags))
  return permissions.map((permission) => explainPolicy(run.policy, { ...about, permission }).decision)
}

/** Without a permission of the person's choice: those that the resource is about. */
function concerns(permission: string, { path, scope }: Flags): boolean {
  if (path !== undefined) return permission.startsWith('filesystem')
  return scope === undefined || permission === 'memoryWrite'
}

/** The path as the policy sees it. One that the sandbox refuses is looked at as it was written. */
async function resolvedPath(
  run: Run,
  path: string | undefined,
): Promise<{ path?: string; ignoreCase?: boolean }> {
  if (path === undefined) return {}
  const answer = await run.context.sandbox.resolvePath(path)
  return answer.ok ? { path: answer.value.path, ignoreCase: answer.value.mount.ignoresCase } : { path }
}

function tableOf(decisions: readonly PermissionDecision[]): string {
  const head = ['permission', 'resource', 'decision', 'layer', 'rule', 'reason']
  const rows = decisions.map((one) => [
    one.permission,
    one.resource ?? '–',
    one.decision,
    one.layer,
    one.rule ?? '–',
    one.reason,
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return `${[head, ...rows].map(line).join('\n')}\n`
}
