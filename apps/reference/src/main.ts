#!/usr/bin/env node
import { basename, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { runCommand } from './run-command.ts'

const controller = new AbortController()
const { stdin, stdout, stderr, env } = process

/** As it was called: by name where it is installed, else by its file. */
function commandName(): string {
  const [, file = ''] = process.argv
  return /^kgent(\.\w+)?$/.test(basename(file)) ? 'kgent' : `node ${relative(process.cwd(), file)}`
}

/** The first signal ends the run cleanly; a second one ends the process. */
function interrupt(): void {
  if (controller.signal.aborted) process.exit(130)
  controller.abort()
}

async function ask(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: stdin, output: stdout })
  lines.on('SIGINT', interrupt)
  try {
    return await lines.question(question, { signal })
  } finally {
    lines.close()
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)
// A reader that goes away (`kgent run | head`) ends the run like Ctrl-C does.
stdout.on('error', () => controller.abort())

process.exitCode = await runCommand(process.argv.slice(2), {
  out: (text) => void stdout.write(text),
  error: (text) => void stderr.write(text),
  colours: env.FORCE_COLOR ? true : stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
  environment: env,
  command: commandName(),
  cwd: process.cwd(),
  columns: stdout.isTTY ? stdout.columns : undefined,
  interrupted: controller.signal,
  ask: stdin.isTTY && stdout.isTTY ? ask : undefined,
})
