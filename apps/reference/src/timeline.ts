import type { RunEvent } from '@kgent/contracts'
import pc from 'picocolors'

type Colours = ReturnType<typeof pc.createColors>

const PROGRESS_EVERY_MS = 500

/** Turns run events into lines for a person: one a call, and progress on long work. */
export function createTimeline(options: {
  colours: boolean
  print: (line: string) => void
}): (event: RunEvent) => void {
  const colours = pc.createColors(options.colours)
  let lastProgress = 0
  return (event) => {
    if (event.type === 'tool.call.end') options.print(endLine(event, colours))
    if (event.type === 'permission.ask')
      options.print(colours.yellow(`  ?  ${text(event, 'tool')} waits for approval`))
    if (event.type === 'log.error')
      options.print(colours.red(`  !  the log cannot be written: ${text(event, 'message')}`))
    if (event.type !== 'tool.call.progress' || Date.parse(event.at) - lastProgress < PROGRESS_EVERY_MS) return
    lastProgress = Date.parse(event.at)
    options.print(colours.dim(`  …  ${text(event, 'tool')}: ${text(event, 'message')}`))
  }
}

const MARKS: Record<string, string> = {
  ok: '✓',
  denied: '✗',
  invalid: '✗',
  error: '✗',
  timeout: '⏱',
  aborted: '■',
}

function endLine(event: RunEvent, colours: Colours): string {
  const status = text(event, 'status')
  const paint = status === 'ok' ? colours.green : status === 'denied' ? colours.yellow : colours.red
  const took = `${Number(event.data.durationMs ?? 0).toFixed(1)} ms`.padStart(10)
  const decision = (text(event, 'decision') || '–').padEnd(5)
  return `  ${paint(MARKS[status] ?? '✗')}  ${text(event, 'tool').padEnd(13)} ${paint(decision)} ${colours.dim(took)}  ${text(event, 'summary')}`
}

function text(event: RunEvent, key: string): string {
  const value = event.data[key]
  return typeof value === 'string' ? value : ''
}
