import { join } from 'node:path'
import { KgentError, type RunEvent, type ToolCallRecord } from '@kgent/contracts'
import { errnoOf } from './log-failure.ts'
import { type FileLine, readLines } from './read-lines.ts'
import { LOG_FILES, type LogFileName } from './run-log.ts'

/** A line that is no record: torn by a crash, or written by something else. */
export interface BadLine {
  file: string
  /** From 1. */
  line: number
  bytes: number
  /** Whether it is the unfinished end of the file. */
  isLast: boolean
}

export interface ReadLogOptions {
  /** Called for each line that cannot be read; reading goes on behind it. */
  onBadLine?: (line: BadLine) => void
}

/** Streams the records of a run of any size. **Throws:** `KgentError` (`run_unusable`) when there is no such file. */
export function readRecords(dir: string, options: ReadLogOptions = {}): AsyncGenerator<ToolCallRecord> {
  return readLog<ToolCallRecord>(dir, 'tools', options)
}

/** Streams the events of a run of any size. **Throws:** `KgentError` (`run_unusable`) when there is no such file. */
export function readEvents(dir: string, options: ReadLogOptions = {}): AsyncGenerator<RunEvent> {
  return readLog<RunEvent>(dir, 'events', options)
}

async function* readLog<Line>(
  dir: string,
  name: LogFileName,
  { onBadLine }: ReadLogOptions,
): AsyncGenerator<Line> {
  const file = LOG_FILES[name]
  try {
    for await (const line of readLines(join(dir, file))) {
      const value = parseLine(line)
      if (value) yield value as Line
      else onBadLine?.({ file, line: line.number, bytes: line.bytes.length, isLast: !line.isEnded })
    }
  } catch (thrown) {
    if (errnoOf(thrown) === 'unknown') throw thrown
    throw new KgentError(
      'run_unusable',
      `${file} cannot be read (${errnoOf(thrown)}). Give the folder of a run.`,
    )
  }
}

/** The object that a line holds, or null. */
export function parseLine({ bytes }: Pick<FileLine, 'bytes'>): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
