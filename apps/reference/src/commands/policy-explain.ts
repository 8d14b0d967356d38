import { BASE_PERMISSIONS } from '@kgent/contracts'
import type { Explanation } from '@kgent/permissions'
import { explainPolicy, type Run } from '@kgent/runtime'
import { nearestName } from '../nearest-name.ts'
import type { AddCommand } from '../run-command.ts'
import { addRunFlags, type RunFlags } from '../shared-options.ts'
import { tableOf } from '../table.ts'
import { withTemporaryRun } from '../temporary-run.ts'
import { CommandFailure, EXIT, printJson } from '../terminal.ts'

interface Flags extends RunFlags {
  tool?: string
  path?: string
  scope?: string
  permission?: string
  json?: boolean
}

/** `kgent policy explain`: what is decided and why, without running anything. */
export const addExplain: AddCommand = (policy, { terminal }) => {
  const command = policy.command('explain')
  addRunFlags(command.description('Say what is decided, by which rule and why. Runs nothing.'))
    .option('--path <path>', 'a sandbox path such as inputs/.env; links are followed')
    .option('--scope <scope>', 'a memory scope')
    .option('--tool <name>', 'as this tool asks')
    .option('--permission <name>', 'only this permission')
    .option('--json', 'print JSON, with every rule that matches')
    .addHelpText('after', '\nExample:\n  kgent policy explain --input ./project --path inputs/.env')
    .action(async (flags: Flags) => {
      const explanations = await withTemporaryRun({ flags, cwd: terminal.cwd }, (run) =>
        explainAll(run, flags),
      )
      if (flags.json) printJson(terminal, explanations)
      else terminal.out(textOf(explanations))
    })
}

async function explainAll(run: Run, flags: Flags): Promise<Explanation[]> {
  const { tool = '*', scope } = flags
  checkTool(run, flags.tool)
  const about = { tool, ...(scope !== undefined && { scope }), ...(await resolvedPath(run, flags.path)) }
  const permissions = flags.permission
    ? [flags.permission]
    : BASE_PERMISSIONS.filter((one) => concerns(one, flags))
  return permissions.map((permission) => explainPolicy(run.policy, { ...about, permission }))
}

function checkTool(run: Run, name: string | undefined): void {
  const names = run.tools.map((tool) => tool.name)
  if (name === undefined || names.includes(name)) return
  const near = nearestName(name, names)
  const hint = near ? `did you mean ${near}?` : `the tools are ${names.join(', ')}.`
  throw new CommandFailure(`--tool ${name}: there is no such tool; ${hint}`, EXIT.usage)
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

function textOf(explanations: readonly Explanation[]): string {
  return tableOf(
    ['permission', 'resource', 'decision', 'layer', 'rule', 'reason'],
    explanations.map(({ decision }) => [
      decision.permission,
      decision.resource ?? '–',
      decision.decision,
      decision.layer,
      decision.rule ?? '–',
      decision.reason,
    ]),
  )
}
