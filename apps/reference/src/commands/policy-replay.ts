import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EffectivePermissionPolicy, SandboxMountInfo } from '@kgent/contracts'
import { readRecords } from '@kgent/logging'
import { buildEffectivePolicy, type ReplayReport, replayRecords } from '@kgent/permissions'
import { loadConfig, type RunManifest } from '@kgent/runtime'
import type { AddCommand } from '../run-command.ts'
import { addRunFlags, configFile, type RunFlags, runFolder } from '../shared-options.ts'
import { tableOf } from '../table.ts'
import { printJson } from '../terminal.ts'

/** `kgent policy replay`: which recorded calls another policy would have decided differently. */
export const addReplay: AddCommand = (policy, { terminal }) => {
  const command = policy.command('replay <run>')
  addRunFlags(
    command.description(
      'List the calls of a run that another policy would decide differently. Runs nothing.',
    ),
  )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nThe other policy is that of --config, over the folders that the run had.\n\nExample:\n  kgent policy replay 20261201-130512-4f1c9a --config stricter.json',
    )
    .action(async (id: string, flags: RunFlags & { json?: boolean }) => {
      const dir = runFolder(id, { runs: flags.runs, cwd: terminal.cwd })
      const report = await replayRecords(readRecords(dir), policyFor(dir, configFile(flags, terminal.cwd)))
      if (flags.json) printJson(terminal, report)
      else terminal.out(textOf(report))
    })
}

/** The policy of a config over the mounts that a run had, as its manifest tells. */
function policyFor(dir: string, file: string | undefined): EffectivePermissionPolicy {
  const { config, label } = loadConfig(file === undefined ? {} : { configFile: file })
  const mounts = mountsOf(dir)
  return buildEffectivePolicy({
    config: { ...config.permissions, source: `${label}.permissions` },
    ...(mounts && { sandbox: { mounts } }),
  })
}

/** Null without a manifest: then nothing is said about mounts. */
function mountsOf(dir: string): SandboxMountInfo[] | null {
  try {
    const manifest = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as Pick<RunManifest, 'mounts'>
    return manifest.mounts.map((mount) => ({ ...mount, ignoresCase: false }))
  } catch {
    return null
  }
}

function textOf({ calls, decisions, changed }: ReplayReport): string {
  const summary = `${calls} calls, ${decisions} decisions: ${changed.length} calls would change.\n`
  if (changed.length === 0) return summary
  const rows = changed.flatMap(({ seq, tool, changes }) =>
    changes.map(({ was, now, change }) => [
      String(seq),
      tool,
      `${was.permission} on ${was.resource ?? '–'}`,
      `${was.decision} → ${now.observed ?? now.decision}`,
      change,
      now.rule ?? now.layer,
    ]),
  )
  return tableOf(['call', 'tool', 'about', 'decision', 'change', 'rule'], rows) + summary
}
