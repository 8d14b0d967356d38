import type { ApprovalAnswer, ApprovalRequest, Approver } from '@kgent/contracts'
import type { Screen } from './screen.ts'
import type { Terminal } from './terminal.ts'

/**
 * Asks the person at the terminal about each call that a rule wants asked about: yes, no, or always for this tool and
 * these rules in this run. One question at a time. Without a person there is no approver, and an ask is a denial.
 */
export function terminalApprover(terminal: Terminal, screen: Screen): Approver | undefined {
  const { ask } = terminal
  if (!ask) return undefined
  const always = new Set<string>()
  let queue: Promise<unknown> = Promise.resolve()
  return (request, { signal }) => {
    const answered = queue.then(() => answer(request, { ask, signal, screen, always }))
    queue = answered.catch(() => {})
    return answered
  }
}

interface Asking {
  ask: NonNullable<Terminal['ask']>
  signal: AbortSignal
  screen: Screen
  always: Set<string>
}

async function answer(
  request: ApprovalRequest,
  { ask, signal, screen, always }: Asking,
): Promise<ApprovalAnswer> {
  const key = [request.tool, ...request.decisions.map(({ rule }) => rule)].join('\0')
  if (always.has(key)) return { approved: true, by: 'terminal, for all of this run' }
  screen.line(`  ? ${request.tool} ${request.input}`)
  for (const { reason, rule } of request.decisions)
    screen.line(`    ${reason}${rule ? ` (rule ${rule})` : ''}`)
  const said = (await ask('    Run it? [y]es, [n]o, [a]lways in this run: ', signal)).trim().toLowerCase()
  if (said === 'a' || said === 'always') always.add(key)
  return { approved: ['y', 'yes', 'a', 'always'].includes(said), by: 'terminal' }
}
