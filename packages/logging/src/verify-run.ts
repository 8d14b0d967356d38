import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KgentError, type RunEvent } from '@kgent/contracts'
import { lineHash } from './line-hash.ts'
import { createCallPairs, type UnpairedCalls } from './pair-calls.ts'
import { readLines } from './read-lines.ts'
import { LOG_FILES, type LogFileName } from './run-log.ts'
import { createChainCheck, type FileVerification, type VerificationProblem } from './verify-chain.ts'

export interface VerifyRunOptions {
  /** The key that the chain was written with, if it was. */
  hmacKey?: string | Uint8Array
}

/** What is known about the record of a run after reading all of it. */
export interface RunVerification {
  /** True when nothing is wrong. Interrupted calls and torn lines of a crash are not wrong. */
  ok: boolean
  /** At most one a file, the first, and a few about calls. */
  problems: VerificationProblem[]
  files: FileVerification[]
  calls: UnpairedCalls & { recorded: number }
  /** Whether the manifest named the last lines; without it a cut end cannot be noticed. */
  endsRecorded: boolean
}

type Heads = Partial<Record<LogFileName, string | null>>

/**
 * Reads the whole record of a run and names what was changed, is missing, was reordered, cut off or added.
 * It does not prove who wrote the record: without an HMAC key, whoever can write all files can write them anew.
 * **Throws:** `KgentError` (`run_unusable`) when the folder holds no log.
 */
export async function verifyRun(dir: string, options: VerifyRunOptions = {}): Promise<RunVerification> {
  if (!existsSync(join(dir, LOG_FILES.events)) && !existsSync(join(dir, LOG_FILES.tools))) {
    throw new KgentError('run_unusable', 'There is no log in this folder. Give the folder of a run.')
  }
  const heads = await recordedHeads(dir)
  const pairs = createCallPairs()
  const records = checkFile(dir, 'tools', options)
  const events = checkFile(dir, 'events', options)
  const errors = checkFile(dir, 'errors', options)
  let recordsHead: string | null | undefined
  let recorded = 0

  async function takeRecord(): Promise<boolean> {
    const { value, done } = await records.lines.next()
    if (done) return false
    if (typeof value.callId === 'string') pairs.seeRecord(value.callId)
    recorded += 1
    return true
  }

  // Records and end events are written in one order, so both files are read side by side: few calls are half seen.
  for await (const line of events.lines) {
    const event = line as unknown as RunEvent
    pairs.seeEvent(event)
    if (event.type === 'tool.call.end') await takeRecord()
    if (event.type === 'run.end') recordsHead = headIn(event.data?.lastHash)
  }
  while (await takeRecord());
  for await (const _line of errors.lines);

  const files = [records.finish(heads.tools), events.finish(heads.events), errors.finish(heads.errors)]
  const calls = { ...pairs.unpaired(), recorded }
  const problems = [
    ...files.flatMap(({ problem }) => (problem ? [problem] : [])),
    ...(await earlierEnd(dir, { records: files[0], head: recordsHead, options })),
    ...callProblems(calls),
  ]
  return { ok: problems.length === 0, problems, files, calls, endsRecorded: heads.tools !== undefined }
}

function checkFile(dir: string, name: LogFileName, { hmacKey }: VerifyRunOptions) {
  const file = LOG_FILES[name]
  const check = createChainCheck({ file, hashes: lineHash(hmacKey), isKeyed: hmacKey !== undefined })
  const path = join(dir, file)
  async function* lines() {
    if (!existsSync(path)) return
    for await (const line of readLines(path)) {
      const found = check.see(line)
      if (found) yield found
    }
  }
  return { lines: lines(), finish: check.finish }
}

/** The heads in the manifest; empty while the run goes on, or where no manifest is. */
async function recordedHeads(dir: string): Promise<Heads> {
  try {
    const manifest = JSON.parse(await readFile(join(dir, 'run.json'), 'utf8'))
    return manifest.lastHash ?? manifest.heads ?? {}
  } catch {
    return {}
  }
}

function headIn(value: unknown): string | null | undefined {
  const tools = (value as { tools?: unknown } | undefined)?.tools
  return typeof tools === 'string' || tools === null ? tools : undefined
}

/** The last `run.end` names the record that was the last one then; it must still be there. */
async function earlierEnd(
  dir: string,
  ended: {
    records: FileVerification | undefined
    head: string | null | undefined
    options: VerifyRunOptions
  },
): Promise<VerificationProblem[]> {
  const { records, head, options } = ended
  if (!records || records.problem || typeof head !== 'string' || head === records.head) return []
  const hashes = lineHash(options.hmacKey)
  if (existsSync(join(dir, records.file))) {
    for await (const { bytes } of readLines(join(dir, records.file)))
      if (hashes.head(bytes) === head) return []
  }
  const message = 'The record that the last run.end event names as the last is not there.'
  return [{ file: records.file, line: records.lines, kind: 'cut', message }]
}

const MAX_NAMED = 5

function callProblems({ unrecorded, surplus }: UnpairedCalls): VerificationProblem[] {
  const problem = (callIds: string[], kind: 'missing' | 'added', what: string): VerificationProblem[] => {
    if (callIds.length === 0) return []
    const named = callIds.slice(0, MAX_NAMED).join(', ')
    const more = callIds.length > MAX_NAMED ? ` and ${callIds.length - MAX_NAMED} more` : ''
    return [{ file: LOG_FILES.tools, line: 0, kind, message: `${what}: ${named}${more}.` }]
  }
  return [
    ...problem(unrecorded, 'missing', 'Calls that ended without a record'),
    ...problem(surplus, 'added', 'Calls with other lines than one start, one record and one end'),
  ]
}
