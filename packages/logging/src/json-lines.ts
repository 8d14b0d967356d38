import { basename } from 'node:path'
import type { ErrorInfo } from '@kgent/contracts'
import { openAppendFile } from './append-file.ts'
import type { FileTail } from './file-tail.ts'
import { groupSyncs } from './group-syncs.ts'
import { linesLost, logFailure } from './log-failure.ts'

export interface JsonLinesOptions {
  /** What messages call the file. Default: its base name. */
  name?: string
  /** `os` (default): a flushed line survives the death of the process. `disk`: that of the machine too. */
  durability?: 'os' | 'disk'
  /** Told once each time that writing begins to fail. */
  onFailure?: (failure: ErrorInfo) => void
}

/**
 * A crash-safe, append-only file of lines.
 * **Contract:** `append` neither throws nor blocks; lines of one tick share a write. `flush` resolves once everything
 * appended before is in the operating system's hands, or has failed, and never rejects.
 */
export interface JsonLinesFile {
  /** What stood at the end of the file when it was opened. */
  readonly tail: FileTail
  /** Why lines wait or are lost, or null while all is well. Notices here that the file was deleted. */
  readonly failure: ErrorInfo | null
  /** Lines that will never be written. */
  readonly lost: number
  append(line: string): void
  /** Counts a line that could not even be made. */
  lose(thrown: unknown): void
  flush(): Promise<void>
  /** Tries once more to write what waits, and gives the file back. */
  close(): Promise<void>
}

// What a disk without room may owe us: lines wait here and are written, in order, when there is room again.
const MAX_WAITING_BYTES = 1024 * 1024
const NAME_CHECK_MS = 50
const DONE = Promise.resolve()

/** Opens a file for appending lines; begins on a new line. **Throws:** `KgentError` (`run_unusable`). */
export function openJsonLines(file: string, options: JsonLinesOptions = {}): JsonLinesFile {
  const name = options.name ?? basename(file)
  const handle = openAppendFile(file)
  let queued = handle.tail.endsWithNewline ? '' : '\n'
  let queuedBytes = queued.length
  let waiting: Buffer | null = null
  let lost = 0
  let failure: ErrorInfo | null = null
  let syncFailed = false
  let state: 'open' | 'deleted' | 'closed' = 'open'
  let drained: Promise<void> | null = queued === '' ? null : DONE.then(drain)
  let nameCheckedAt = performance.now()
  const syncs = groupSyncs(() => handle.sync().catch(failSync))

  function fail(thrown: unknown): void {
    const isNew = failure === null
    failure = logFailure(name, thrown)
    if (isNew) options.onFailure?.(failure)
  }

  /** The system may have dropped what it could not bring to the disk, so this stays said. */
  function failSync(thrown: unknown): void {
    if (state !== 'open') return
    syncFailed = true
    fail(thrown)
  }

  function append(line: string): void {
    const isFull = waiting !== null && waiting.length + queuedBytes > MAX_WAITING_BYTES
    if (state !== 'open' || isFull) {
      lost += 1
      failure ??= linesLost(name, lost)
      return
    }
    queued += `${line}\n`
    queuedBytes += Buffer.byteLength(line) + 1
    drained ??= DONE.then(drain)
  }

  /** Never throws: it stands behind `flush`. */
  function drain(): void {
    drained = null
    if (state !== 'open' || (queued === '' && waiting === null)) return
    const bytes = waiting === null ? queued : Buffer.concat([waiting, Buffer.from(queued)])
    const { rest, thrown } = handle.write(bytes, queuedBytes + (waiting?.length ?? 0))
    queued = ''
    queuedBytes = 0
    waiting = rest
    syncs.wrote()
    if (rest !== null) fail(thrown)
    else if (!syncFailed) failure = null
    const now = performance.now()
    if (now - nameCheckedAt < NAME_CHECK_MS) return
    nameCheckedAt = now
    checkName()
  }

  function checkName(): void {
    if (state !== 'open' || handle.hasName()) return
    state = 'deleted'
    lost += linesIn(waiting)
    waiting = null
    fail(Object.assign(new Error('deleted'), { code: 'ENOENT' }))
  }

  function flush(): Promise<void> {
    const written = drained ?? DONE
    return options.durability === 'disk' ? written.then(syncs.synced) : written
  }

  async function close(): Promise<void> {
    if (state === 'closed') return
    await flush()
    drain()
    checkName()
    lost += linesIn(waiting)
    waiting = null
    if (lost > 0 && failure === null) failure = linesLost(name, lost)
    state = 'closed'
    handle.close()
  }

  return {
    tail: handle.tail,
    get failure() {
      checkName()
      return failure
    },
    get lost() {
      return lost
    },
    append,
    lose(thrown) {
      lost += 1
      fail(thrown)
    },
    flush,
    close,
  }
}

function linesIn(bytes: Buffer | null): number {
  let count = 0
  for (let at = bytes?.indexOf(10) ?? -1; bytes && at >= 0; at = bytes.indexOf(10, at + 1)) count += 1
  return count
}
