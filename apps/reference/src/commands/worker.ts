import { resolve } from 'node:path'
import { buildEffectivePolicy } from '@kgent/permissions'
import { loadConfig } from '@kgent/runtime'
import { createSkillRegistry, skillMounts } from '@kgent/skills'
import { serveTools, type WorkerHealth, type WorkerMount } from '@kgent/worker-bullmq'
import { FILE_TOOLS } from '../placed-tools.ts'
import type { AddCommand } from '../run-command.ts'
import { configFile, folderAt, ownPath, type RunFlags } from '../shared-options.ts'
import { EXIT, type Terminal } from '../terminal.ts'

interface Flags extends RunFlags {
  connection: string
  queues?: string
  health: string
}

const HELP_END = `
It takes calls until it gets SIGTERM or Ctrl-C, ends those that run, and says on every line how it stands.

Example:
  kgent worker --connection redis://127.0.0.1:6379 --queues read,write --runs /shared/runs`

/** `kgent worker`: runs the file tools of other processes' runs. */
export const addWorker: AddCommand = (program, { terminal, done }) => {
  program
    .command('worker')
    .description('Run the file tools of runs whose agents are elsewhere.')
    .requiredOption('--connection <address>', 'redis://user:password@host:port')
    .option('--queues <names>', 'queues to serve, with commas (default: those that the policy grants)')
    .option('--runs <dir>', 'folder that holds the runs, on shared storage', 'runs')
    .option('--input <dir>', 'folder that agents know as inputs')
    .option('--skills <dir>', 'folder of skills, as the agents have them')
    .option('--config <file>', 'config whose permissions and mounts are this worker’s own')
    .option('--health <seconds>', 'how often to print a line', '10')
    .addHelpText('after', HELP_END)
    .action(async (flags: Flags) => done(await work(flags, terminal)))
}

async function work(flags: Flags, terminal: Terminal): Promise<number> {
  const { mounts, policy } = await ownPolicy(flags, terminal.cwd)
  const server = await serveTools({
    connection: flags.connection,
    tools: FILE_TOOLS,
    policy,
    mounts,
    runsDir: resolve(terminal.cwd, flags.runs),
    ...(flags.queues !== undefined && { queues: flags.queues.split(',').map((name) => name.trim()) }),
  })
  terminal.out(healthLine(server.health()))
  const beat = setInterval(() => terminal.out(healthLine(server.health())), secondsOf(flags.health) * 1_000)
  await interruption(terminal.interrupted)
  clearInterval(beat)
  await server.close()
  terminal.out(healthLine(server.health()))
  return EXIT.ok
}

async function ownPolicy(flags: Flags, cwd: string) {
  const config = configFile(flags, cwd)
  const loaded = loadConfig(config === undefined ? {} : { configFile: config })
  const skills = await createSkillRegistry({
    roots: [
      {
        dir:
          flags.skills === undefined
            ? ownPath('skills')
            : folderAt(flags.skills, { cwd, option: '--skills' }),
      },
    ],
  })
  const mounts: WorkerMount[] = [
    ...(loaded.config.sandbox?.mounts ?? []).map(({ name, dir, mode = 'ro' }) => ({
      name,
      dir: resolve(loaded.baseDir, dir),
      mode,
    })),
    ...(flags.input === undefined
      ? []
      : [{ name: 'inputs', dir: folderAt(flags.input, { cwd, option: '--input' }) }]),
    ...skillMounts(skills).map(({ name, dir }) => ({ name, dir })),
  ]
  const own = [
    { name: 'workspace', mode: 'rw' as const },
    { name: 'deliverables', mode: 'rw' as const },
    { name: 'artifacts', mode: 'ro' as const },
  ]
  const policy = buildEffectivePolicy({
    ...(loaded.config.permissions && {
      config: { ...loaded.config.permissions, source: `${loaded.label}.permissions` },
    }),
    sandbox: {
      mounts: [...own, ...mounts].map(({ name, mode = 'ro' }) => ({ name, mode, ignoresCase: false })),
    },
  })
  return { mounts, policy }
}

function healthLine({ worker, queues, state, running, ended }: WorkerHealth): string {
  const counts = Object.entries(ended).map(([kind, count]) => `${kind} ${count}`)
  return `${new Date().toISOString()} ${worker} ${state} queues ${queues.join(',')} running ${running} ${counts.join(' ')}\n`
}

function secondsOf(text: string): number {
  return Math.max(1, Number.parseInt(text, 10) || 10)
}

function interruption(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
