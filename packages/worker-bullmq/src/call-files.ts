import { hash, randomUUID } from 'node:crypto'
import { appendFile, link, mkdir, open, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CallAnswer, type CallEnvelope, isCallId, isPlainId, readAnswer, readEnvelope } from './order.ts'

/** A retry after a lost worker is the second attempt; there is no third. */
export const MAX_ATTEMPTS = 2

const FIRST_LOOK_MS = 5

/**
 * The content of calls that are under way, in the run's folder on the shared storage: `<run>/archive/calls/`. It is no
 * mount, so no agent reads or writes it.
 *
 * Two files are made at most once, whoever tries: a claim (this attempt is being run) and the answer (the verdict). That
 * is what “never run twice” and “one verdict” rest on, not on the memory of Redis.
 */
export class CallFiles {
  readonly dir: string
  readonly #lagMs: number

  /** `lagMs`: how long a file that must be there is waited for; other machines see new files late. */
  constructor(runsDir: string, runId: string, lagMs: number) {
    if (!isPlainId(runId)) throw new TypeError('A run id must be a plain name.')
    this.dir = join(runsDir, runId, 'archive', 'calls')
    this.#lagMs = lagMs
  }

  /** Writes the envelope of a new call. */
  async put(envelope: CallEnvelope): Promise<void> {
    const write = () =>
      writeFile(this.#file(envelope.callId, 'call'), JSON.stringify(envelope), { flag: 'wx', mode: 0o600 })
    await write().catch(async (thrown) => {
      if (codeOf(thrown) !== 'ENOENT') throw thrown
      await mkdir(this.dir, { recursive: true, mode: 0o700 })
      await write()
    })
  }

  /** The envelope of a call, or null when no sender has written one. */
  async envelope(callId: string): Promise<CallEnvelope | null> {
    const text = await this.#readSoon(this.#file(callId, 'call'))
    return text === null ? null : readEnvelope(text)
  }

  /**
   * Takes the next attempt of a call; null when all that there may be are taken. Atomic over all machines: a second name
   * of the envelope, which can be given once and costs less than a new file.
   */
  async claim(callId: string, attempts: number): Promise<number | null> {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (await linkOnce(this.#file(callId, 'call'), this.#file(callId, `claim-${attempt}`))) return attempt
    }
    return null
  }

  /** Whether a worker has begun the call. */
  async isClaimed(callId: string): Promise<boolean> {
    return (await readOrNull(this.#file(callId, 'claim-1'))) !== null
  }

  /** Makes this the verdict, unless there is one. Whole or not at all. */
  async seal(answer: CallAnswer): Promise<boolean> {
    const file = this.#file(answer.callId, 'answer')
    const temporary = `${file}.${randomUUID().slice(0, 8)}`
    try {
      await writeFile(temporary, JSON.stringify(answer), { flag: 'wx', mode: 0o600 })
      return await linkOnce(temporary, file)
    } catch (thrown) {
      // The folder is gone: the sender has closed.
      if (codeOf(thrown) === 'ENOENT') return false
      throw thrown
    } finally {
      // Nobody looks for it: the verdict need not wait for that.
      void unlink(temporary).catch(() => {})
    }
  }

  /** The verdict, if there is one. `soon`: somebody has said that there is. */
  async answer(callId: string, options: { soon?: boolean } = {}): Promise<CallAnswer | null> {
    const file = this.#file(callId, 'answer')
    const text = await (options.soon ? this.#readSoon(file) : readOrNull(file))
    return text === null ? null : readAnswer(text, callId)
  }

  async addProgress(callId: string, line: string): Promise<void> {
    await appendFile(this.#file(callId, 'progress'), `${line}\n`, { mode: 0o600 })
  }

  /** What was added behind `offset` bytes, as whole lines. */
  async progressFrom(callId: string, offset: number): Promise<{ lines: string[]; offset: number }> {
    const bytes = await readFrom(this.#file(callId, 'progress'), offset)
    const end = bytes.lastIndexOf(0x0a) + 1
    const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1)
    return { lines, offset: offset + end }
  }

  /** Forgets a call that has ended. The envelope goes first: without it nothing of the call can be run again. */
  async remove(callId: string): Promise<void> {
    await removeIfThere(this.#file(callId, 'call'))
    const rest = ['answer', 'progress', 'claim-1', 'claim-2']
    await Promise.all(rest.map((kind) => removeIfThere(this.#file(callId, kind))))
  }

  #file(callId: string, kind: string): string {
    if (!isCallId(callId)) throw new TypeError('A call id must be a UUID.')
    return join(this.dir, `${callId}.${kind}`)
  }

  async #readSoon(file: string): Promise<string | null> {
    const until = performance.now() + this.#lagMs
    for (let wait = FIRST_LOOK_MS; ; wait *= 2) {
      const text = await readOrNull(file)
      const left = until - performance.now()
      if (text !== null || left <= 0) return text
      await sleep(Math.min(wait, left))
    }
  }
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

async function linkOnce(file: string, name: string): Promise<boolean> {
  try {
    await link(file, name)
    return true
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false
    throw thrown
  }
}

async function removeIfThere(file: string): Promise<void> {
  await unlink(file).catch((thrown) => {
    if (codeOf(thrown) !== 'ENOENT') throw thrown
  })
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return null
    throw thrown
  }
}

async function readFrom(file: string, offset: number): Promise<Buffer> {
  const handle = await open(file, 'r').catch(() => null)
  if (!handle) return Buffer.alloc(0)
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(Math.max(0, size - offset)),
      position: offset,
    })
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function codeOf(thrown: unknown): string | undefined {
  return (thrown as NodeJS.ErrnoException).code
}
