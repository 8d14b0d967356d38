import type { Run, RunSummary } from '@kgent/runtime'
import pc from 'picocolors'
import type { Screen } from './screen.ts'
import { durationText } from './timeline.ts'

/** What a person reads before the first call. */
export function showHead(
  screen: Screen,
  head: { run: Run; colours: boolean; rows: readonly (readonly [label: string, text: string])[] },
): void {
  const colours = pc.createColors(head.colours)
  screen.line(`${colours.bold('kgent run')} ${head.run.id}`)
  for (const [label, text] of head.rows) screen.line(colours.dim(`  ${label.padEnd(8)} ${text}`))
  for (const warning of head.run.warnings) screen.line(colours.yellow(`  ${'note'.padEnd(8)} ${warning}`))
  screen.line('')
}

export interface RunEnding {
  summary: RunSummary
  /** Host paths of what was delivered. */
  delivered: readonly string[]
  milliseconds: number
  /** How this program is called. */
  command: string
  /** What commands that are suggested need to find this run. */
  runsFlag: string
  colours: boolean
}

/** What a person reads at the end: how it went, where everything is, what was refused, what waits. */
export function showEnding(screen: Screen, ending: RunEnding): void {
  const { summary, delivered, command, runsFlag } = ending
  const colours = pc.createColors(ending.colours)
  const row = (label: string, text: string) => screen.line(`  ${label.padEnd(8)} ${text}`)
  const statuses = Object.entries(summary.byStatus).map(([status, count]) => `${count} ${status}`)
  screen.line('')
  screen.line(
    `${colours.bold(summary.status)}: ${counted(summary.calls, 'call')} in ${durationText(ending.milliseconds)} (${statuses.join(', ') || 'none'})`,
  )
  for (const path of delivered) row('report', colours.bold(path))
  row('run', summary.dir)
  for (const { tool, resource, reason, layer } of summary.refusals) {
    const on = resource ? ` on ${resource}` : ''
    row('refused', colours.yellow(`${tool}${on}: ${reason}${layer ? ` (${layer})` : ''}`))
  }
  const { waiting } = summary.memory
  if (waiting > 0)
    row(
      'memory',
      `${counted(waiting, 'candidate')} ${waiting === 1 ? 'waits' : 'wait'} for review: ${command} memory list${runsFlag}`,
    )
  if (summary.log.failure) row('log', colours.red(summary.log.failure.message))
  else row('check', colours.dim(`${command} verify ${summary.id}${runsFlag}`))
  row('look', colours.dim(`${command} report ${summary.id}${runsFlag}`))
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}
