import type { RunEvent } from '@kgent/contracts'
import pc from 'picocolors'
import type { Screen } from './screen.ts'

const MARKS: Record<string, string> = { ok: '✓', timeout: '⏱', aborted: '■' }
/** How long a call runs before its progress is told, and how often then, where no line can be replaced. */
const PROGRESS_EVERY_MS = 2_000
const MAX_ABOUT_CHARS = 48
const TOOL_WIDTH = 12

export interface TimelineOptions {
  screen: Screen
  colours: boolean
  columns?: number | undefined
  /** What a call is about. */
  noteOf(toolCallId: unknown): string
}

/** Shows run events to a person as they happen: one line a call, progress on long work, questions and log trouble. */
export function createTimeline(options: TimelineOptions): (event: RunEvent) => void {
  const { screen } = options
  const colours = pc.createColors(options.colours)
  const toldAt = new Map<string, number>()
  return (event) => {
    if (event.type === 'tool.call.start') toldAt.set(event.callId ?? '', Date.parse(event.at))
    if (event.type === 'tool.call.end') screen.line(endLine(event, options))
    if (event.type === 'tool.call.progress') showProgress(event, { screen, colours, toldAt })
    if (event.type === 'permission.ask')
      screen.line(colours.yellow(`  ? ${text(event, 'tool')} needs a person's approval`))
    if (event.type === 'log.error')
      screen.line(colours.red(`  ! the log cannot be written: ${text(event, 'message')}`))
  }
}

function endLine(event: RunEvent, { colours: isColoured, columns, noteOf }: TimelineOptions): string {
  const colours = pc.createColors(isColoured)
  const status = text(event, 'status')
  const paint = status === 'ok' ? colours.green : status === 'denied' ? colours.yellow : colours.red
  const summary = text(event, 'summary')
  const note = noteOf(event.data.toolCallId)
  const about = note === '' || summary.includes(note) ? '' : `${cut(note, MAX_ABOUT_CHARS)}  `
  const tool = text(event, 'tool').padEnd(TOOL_WIDTH)
  const decision = decisionText(event).padEnd(6)
  const took = durationText(Number(event.data.durationMs ?? 0)).padStart(6)
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - TOOL_WIDTH - 22
  const [shownAbout, shownSummary] = fit(about, summary, room)
  return `  ${paint(MARKS[status] ?? '✗')} ${tool} ${paint(decision)} ${colours.dim(took)}  ${colours.dim(shownAbout)}${shownSummary}`
}

/** A call that ran although something was denied was allowed in part: entries were left out of its answer. */
function decisionText(event: RunEvent): string {
  const decision = text(event, 'decision')
  return decision === 'deny' && text(event, 'status') === 'ok' ? 'partly' : decision || '–'
}

/** A terminal's line holds what the call came to; what it was about gives way first. */
function fit(about: string, summary: string, room: number): [about: string, summary: string] {
  if (about.length + summary.length <= room) return [about, summary]
  const left = room - summary.length
  return left > 12 ? [`${cut(about.trim(), left - 2)}  `, summary] : ['', summary.slice(0, Math.max(0, room))]
}

function showProgress(
  event: RunEvent,
  view: { screen: Screen; colours: ReturnType<typeof pc.createColors>; toldAt: Map<string, number> },
): void {
  const { screen, colours, toldAt } = view
  const line = `  … ${text(event, 'tool') || 'call'}: ${text(event, 'message')}`
  if (screen.isLive) {
    screen.passing(line)
    return
  }
  const callId = event.callId ?? ''
  const at = Date.parse(event.at)
  if (at - (toldAt.get(callId) ?? at) < PROGRESS_EVERY_MS) return
  toldAt.set(callId, at)
  screen.line(colours.dim(line))
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

/** `7 ms`, `1.2 s`, `3 min`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  return milliseconds < 120_000
    ? `${(milliseconds / 1_000).toFixed(1)} s`
    : `${Math.round(milliseconds / 60_000)} min`
}

function text(event: RunEvent, key: string): string {
  const value = event.data[key]
  return typeof value === 'string' ? value : ''
}
