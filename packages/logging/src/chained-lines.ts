import type { ErrorInfo } from '@kgent/contracts'
import type { TornTail } from './file-tail.ts'
import { type JsonLinesOptions, openJsonLines } from './json-lines.ts'
import { type LineHash, lineHash } from './line-hash.ts'

export interface ChainOptions extends JsonLinesOptions {
  /** With a key, the chain cannot be written anew by somebody who does not have it. */
  hmacKey?: string | Uint8Array
}

/** Where a log file stood when it was opened. */
export interface LogOpening {
  /** Sequence number of the last line that was there; 0 for a new file. */
  seq: number
  /** Hash of that line; null for a new file. */
  head: string | null
  /** What a crash had left of a line. It stands alone now. */
  torn: TornTail | null
}

/** Where the next line goes. */
export interface LinePlace {
  seq: number
  prev: string | null
}

/** Lines that are numbered and carry the hash of the line before. */
export interface ChainedLines {
  readonly opened: LogOpening
  /** Hash of the last line, for the place that says where the file ends; null while there is none. */
  readonly head: string | null
  readonly failure: ErrorInfo | null
  /** Makes a line for its place and appends it. Never throws: a line that cannot be made is counted as lost. */
  append(make: (place: LinePlace) => string): void
  flush(): Promise<void>
  close(): Promise<void>
}

/** Opens a log file and goes on from its last whole line. **Throws:** `KgentError` (`run_unusable`). */
export function openChainedLines(file: string, options: ChainOptions = {}): ChainedLines {
  const hashes = lineHash(options.hmacKey)
  const lines = openJsonLines(file, options)
  const opened = openingOf(lines.tail, hashes)
  let { seq } = opened
  let last: string | Uint8Array | null = lines.tail.lastLine
  let prev = last === null ? null : hashes.link(last)
  return {
    opened,
    get head() {
      return last === null ? null : hashes.head(last)
    },
    get failure() {
      return lines.failure
    },
    append(make) {
      try {
        const line = make({ seq: seq + 1, prev })
        lines.append(line)
        seq += 1
        last = line
        prev = hashes.link(line)
      } catch (thrown) {
        lines.lose(thrown)
      }
    },
    flush: lines.flush,
    close: lines.close,
  }
}

function openingOf(
  { lastLine, torn }: { lastLine: Buffer | null; torn: TornTail | null },
  hashes: LineHash,
): LogOpening {
  if (lastLine === null) return { seq: 0, head: null, torn }
  const { seq } = JSON.parse(lastLine.toString('utf8')) as { seq?: unknown }
  return {
    seq: typeof seq === 'number' && Number.isSafeInteger(seq) ? seq : 0,
    head: hashes.head(lastLine),
    torn,
  }
}
