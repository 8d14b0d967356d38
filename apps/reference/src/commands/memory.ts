import type { Outcome } from '@kgent/contracts'
import type { MemoryReview, ReviewGroup } from '@kgent/memory'
import type { AddCommand } from '../run-command.ts'
import { printable } from '../screen.ts'
import { CommandFailure, EXIT, printJson, type Terminal } from '../terminal.ts'
import { addPromote } from './memory-promote.ts'
import { open, shared } from './open-review.ts'

interface Flags {
  runs: string
  reason?: string
  json?: boolean
}

const KEY_CHARS = 12

/** `kgent memory`: a person's review of what agents propose to remember, over all runs. */
export const addMemory: AddCommand = (program, { terminal }) => {
  const memory = program.command('memory').description('Review what agents propose to remember.')
  shared(
    memory.command('list').description('Show what waits for review; equal proposals of many runs are one.'),
  )
    .option('--all', 'also what was decided already')
    .addHelpText('after', '\nExample:\n  kgent memory list --all')
    .action((flags: Flags & { all?: boolean }) => list(flags, terminal))
  shared(memory.command('show <key>').description('Show one proposal with where it came from.'))
    .addHelpText('after', '\nExample:\n  kgent memory show 3f9c')
    .action(async (key: string, flags: Flags) => show(key, flags, terminal))
  addPromote(memory, terminal)
  shared(memory.command('accept <key>').description('Let it be remembered.'))
    .option('--reason <text>', 'why, for the ledger')
    .addHelpText('after', '\nExample:\n  kgent memory accept 3f9c')
    .action((key: string, flags: Flags) =>
      decide(flags, terminal, (review) => review.accept(key, noteOf(flags))),
    )
  shared(memory.command('edit <key>').description('Let your own words be remembered instead.'))
    .requiredOption('--content <text>', 'what is to be remembered')
    .option('--reason <text>', 'why, for the ledger')
    .addHelpText(
      'after',
      '\nExample:\n  kgent memory edit 3f9c --content "Reports are written in British English."',
    )
    .action((key: string, flags: Flags & { content: string }) =>
      decide(flags, terminal, (review) => review.edit(key, { content: flags.content, ...noteOf(flags) })),
    )
  shared(memory.command('reject <key>').description('Let it be forgotten.'))
    .option('--reason <text>', 'why, for the ledger')
    .addHelpText('after', '\nExample:\n  kgent memory reject 3f9c --reason "holds only today"')
    .action((key: string, flags: Flags) =>
      decide(flags, terminal, (review) => review.reject(key, noteOf(flags))),
    )
}

async function list(flags: Flags & { all?: boolean }, terminal: Terminal): Promise<void> {
  const found = await open(flags, terminal).list(flags.all ? {} : { states: ['waiting'] })
  if (flags.json) return printJson(terminal, found)
  for (const group of found.groups) terminal.out(groupText(group))
  if (found.groups.length === 0) terminal.out('Nothing waits for review.\n')
  for (const { file, reason } of found.problems) terminal.error(`kgent: ${file}: ${reason}\n`)
}

async function show(key: string, flags: Flags, terminal: Terminal): Promise<void> {
  const shown = await open(flags, terminal).show(key)
  if (!shown.ok) throw new CommandFailure(shown.error.message)
  if (flags.json) return printJson(terminal, shown.value)
  const { origins, similar, decided } = shown.value
  terminal.out(groupText(shown.value))
  for (const { run, tool, actor, at } of origins) {
    terminal.out(
      `${printable(`  proposed ${at} in ${run} by ${actor ?? 'nobody named'} with ${tool ?? 'no tool'}`)}\n`,
    )
  }
  if (similar.length > 0)
    terminal.out(`  nearly the same: ${similar.map((other) => other.slice(0, KEY_CHARS)).join(', ')}\n`)
  if (decided)
    terminal.out(
      `${printable(
        `  decided ${decided.at} by ${decided.by ?? 'nobody named'}: ${decided.reason ?? 'no reason'}`,
      )}\n`,
    )
}

async function decide(
  flags: Flags,
  terminal: Terminal,
  verdict: (review: MemoryReview) => Promise<Outcome<ReviewGroup>>,
): Promise<void> {
  const decided = await verdict(open(flags, terminal))
  if (!decided.ok) {
    const { code, message } = decided.error
    throw new CommandFailure(message, code === 'invalid_input' ? EXIT.usage : EXIT.failed)
  }
  if (flags.json) printJson(terminal, decided.value)
  else terminal.out(groupText(decided.value))
}

function groupText({ key, state, runs, scope, tags, flagged, content }: ReviewGroup): string {
  const seen = runs.length > 1 ? `seen in ${runs.length} runs` : `seen in ${runs[0]}`
  const warning = flagged.length > 0 ? `  looks like a secret: ${flagged.join(', ')}` : ''
  const head = [
    key.slice(0, KEY_CHARS),
    state,
    seen,
    `scope ${scope}`,
    tags.map((tag) => `#${tag}`).join(' '),
  ]
  return `${printable(`${head.join('  ').trimEnd()}${warning}\n  ${content.replace(/\s+/g, ' ')}`)}\n`
}

function noteOf({ reason }: Flags): { reason?: string } {
  return reason === undefined ? {} : { reason }
}
