import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import type { ScriptedModel } from '../scripted/scripted-model.ts'
import { CommandFailure, EXIT } from '../terminal.ts'

type CallOptions = Parameters<ScriptedModel['doStream']>[0]
type Streamed = Awaited<ReturnType<ScriptedModel['doStream']>>
export type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never

/** One line of a recording: the answer to one prompt. */
export interface RecordedAnswer {
  v: 1
  /** Hash of what was asked. */
  key: string
  parts: StreamPart[]
}

// What differs from run to run although the conversation is the same: times, and ids that are drawn anew.
const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g
const DRAWN_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Hash of a prompt and the names of the tools, canonical: order of keys, times and drawn ids do not matter. */
export function promptKey({ prompt, tools }: Pick<CallOptions, 'prompt' | 'tools'>): string {
  const asked = { prompt, tools: (tools ?? []).map(({ name }) => name).sort() }
  const text = JSON.stringify(asked, sortKeys).replace(TIME, '(time)').replace(DRAWN_ID, '(id)')
  return createHash('sha256').update(text).digest('hex')
}

/** Adds an answer to a recording. It is with the operating system when this returns. */
export function recordAnswer(file: string, answer: RecordedAnswer): void {
  appendFileSync(file, `${JSON.stringify(answer)}\n`, { mode: 0o600 })
}

/** All answers of a recording, by key. **Throws:** `CommandFailure` for a file that is none, with its line. */
export function readRecording(file: string, shown: string): Map<string, RecordedAnswer> {
  const answers = new Map<string, RecordedAnswer>()
  for (const [index, line] of textOf(file, shown).split('\n').entries()) {
    if (line.trim() === '') continue
    const answer = parseAnswer(line)
    if (answer === null)
      throw new CommandFailure(
        `--model replay:${shown}: line ${index + 1} is no recorded answer. Make the file with --record.`,
        EXIT.usage,
      )
    answers.set(answer.key, answer)
  }
  return answers
}

function textOf(file: string, shown: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`
    throw new CommandFailure(`--model replay:${shown}: ${why}.`, EXIT.usage)
  }
}

function parseAnswer(line: string): RecordedAnswer | null {
  try {
    const value = JSON.parse(line)
    return value?.v === 1 && typeof value.key === 'string' && Array.isArray(value.parts) ? value : null
  } catch {
    return null
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
