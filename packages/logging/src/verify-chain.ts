import { isKeyed, type LineHash } from './line-hash.ts'
import type { FileLine } from './read-lines.ts'
import { parseLine } from './read-log.ts'

/**
 * `changed`: a line is not what it was. `missing`: lines are gone. `reordered`: lines stand in another order.
 * `cut`: a line, or the end of the file, is cut off. `added`: lines that do not belong. `key`: the chain was written
 * with a key and is checked without, or the other way round.
 */
export type ProblemKind = 'changed' | 'missing' | 'reordered' | 'cut' | 'added' | 'key'

export interface VerificationProblem {
  file: string
  /** From 1; 0 when the file as a whole is meant. */
  line: number
  kind: ProblemKind
  message: string
}

/** What was found in one file. */
export interface FileVerification {
  file: string
  lines: number
  /** Sequence number and hash of the last line. */
  seq: number
  head: string | null
  /** Numbers of lines that a crash tore; nothing that was acknowledged is lost with them. */
  torn: number[]
  /** The first thing wrong with the file, or null. */
  problem: VerificationProblem | null
}

/** Checks a file line by line. */
export interface ChainCheck {
  /** Takes the next line and returns what it holds, null when it is no whole line. */
  see(line: FileLine): Record<string, unknown> | null
  /** Ends the check; `recordedHead` is the hash that the last line must have, undefined when none was recorded. */
  finish(recordedHead: string | null | undefined): FileVerification
}

interface Link {
  number: number
  seq: number
  hash: string
  bytes: Uint8Array
}

const FILE_START: Link = { number: 0, seq: 0, hash: '', bytes: new Uint8Array() }

/** Begins to check the chain of one file. */
export function createChainCheck(options: { file: string; hashes: LineHash; isKeyed: boolean }): ChainCheck {
  const { file, hashes } = options
  let last = FILE_START
  let lines = 0
  let broken: number[] = []
  const torn: number[] = []
  let problem: VerificationProblem | null = null
  /** Two neighbours that do not fit; the line behind them, or the recorded end, tells which of them was changed. */
  let doubt: { before: Link; after: Link } | null = null
  let gap: { from: number; to: number } | null = null

  function report(kind: ProblemKind, line: number, message: string): void {
    problem ??= { file, line, kind, message }
  }

  function settle(isAfterIntact: boolean): void {
    if (doubt === null) return
    const line = isAfterIntact && doubt.before.number > 0 ? doubt.before.number : doubt.after.number
    report('changed', line, `Line ${line} is not what was written.`)
    doubt = null
  }

  function link(found: Record<string, unknown>, here: Link): void {
    const prev = found.prev ?? null
    const fits = prev === (last.number === 0 ? null : last.hash)
    const isNext = here.seq === last.seq + 1
    if (doubt !== null) settle(prev === doubt.after.hash)
    else if (typeof prev === 'string' && isKeyed(prev) !== options.isKeyed) reportKey(here.number)
    else if (isNext && fits) acceptTorn()
    else if (isNext) doubt = { before: last, after: here }
    else if (fits) report('changed', here.number, `Line ${here.number} has a wrong number.`)
    else if (here.seq <= last.seq) report('added', here.number, `Line ${here.number} repeats a number.`)
    else if (broken[0] !== undefined) report('cut', broken[0], `Line ${broken[0]} is no whole line any more.`)
    else reportGap(here)
  }

  /** Lines that are not whole, between two that fit, are what a crash left. */
  function acceptTorn(): void {
    torn.push(...broken)
    broken = []
  }

  function reportKey(line: number): void {
    const how = options.isKeyed ? 'without a key, and a key was given' : 'with a key: give hmacKey'
    report('key', line, `The chain was written ${how}.`)
  }

  function reportGap(here: Link): void {
    gap = { from: last.seq + 1, to: here.seq - 1 }
    const what = gap.from === gap.to ? `Number ${gap.from} is` : `Numbers ${gap.from} to ${gap.to} are`
    report('missing', here.number, `${what} missing before line ${here.number}.`)
  }

  function see(line: FileLine): Record<string, unknown> | null {
    lines = line.number
    const found = parseLine(line)
    const seq = found?.seq
    if (!found || typeof seq !== 'number') {
      broken.push(line.number)
      return null
    }
    const here: Link = { number: line.number, seq, hash: hashes.link(line.bytes), bytes: line.bytes }
    if (problem === null) link(found, here)
    else if (gap && seq >= gap.from && seq <= gap.to) {
      problem = {
        ...problem,
        kind: 'reordered',
        message: `Line ${problem.line} stands before number ${gap.from}.`,
      }
      gap = null
    }
    last = here
    return found
  }

  function finish(recordedHead: string | null | undefined): FileVerification {
    const head = last.number === 0 ? null : hashes.head(last.bytes)
    if (doubt !== null) settle(recordedHead === undefined || recordedHead === head)
    if (recordedHead !== undefined && recordedHead !== head) {
      const at = Math.max(last.number, 1)
      report(
        'cut',
        broken[0] ?? at,
        `The file ends with line ${last.number}, which is not the recorded end: what followed is gone, or this line was changed.`,
      )
    } else if (recordedHead !== undefined && broken[0] !== undefined) {
      report('added', broken[0], `Line ${broken[0]} stands behind the recorded end.`)
    }
    return { file, lines, seq: last.seq, head, torn: [...torn, ...broken], problem }
  }

  return { see, finish }
}
