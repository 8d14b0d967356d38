import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

const NEWLINE = 0x0a
// Not blocking: a FIFO in the file's place would otherwise stop the process.
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0)

/**
 * Appends one whole line, with other processes doing the same: a single write, on a line of its own, looked at afterwards.
 * A torn line that somebody left behind stays and is ended first.
 *
 * **Throws:** what the operating system reports; then nothing of the line counts.
 */
export function appendLine(file: string, line: string, options: { sync?: boolean } = {}): void {
  mkdirSync(dirname(file), { recursive: true })
  const descriptor = openSync(file, FLAGS, 0o600)
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('not a regular file')
    // The second time always begins on a new line: somebody may have been killed between our look and our write.
    const written =
      appendOnce(descriptor, line, endsMidLine(descriptor)) || appendOnce(descriptor, line, true)
    if (!written) throw new Error('the line was cut short')
    if (options.sync) fdatasyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Writes the line and says whether it stands in the file, whole and on its own. */
function appendOnce(descriptor: number, line: string, onNewLine: boolean): boolean {
  const before = fstatSync(descriptor).size
  const bytes = Buffer.from(`${onNewLine ? '\n' : ''}${line}\n`)
  if (writeSync(descriptor, bytes, 0, bytes.length) < bytes.length) return false
  return standsAlone(readFrom(descriptor, Math.max(0, before - 1)), Buffer.from(`${line}\n`), before === 0)
}

function standsAlone(end: Buffer, line: Buffer, fromStart: boolean): boolean {
  for (let at = end.indexOf(line); at >= 0; at = end.indexOf(line, at + 1)) {
    if (at === 0 ? fromStart : end[at - 1] === NEWLINE) return true
  }
  return false
}

function endsMidLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor)
  return size > 0 && readFrom(descriptor, size - 1).at(-1) !== NEWLINE
}

function readFrom(descriptor: number, position: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - position))
  let filled = 0
  while (filled < bytes.length) {
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}
