import type { LineEnd } from '@kgent/contracts'
import type { SandboxLimits } from './limits.ts'
import { lineEndOfBytes, type TextWindow, type WindowRequest } from './text-window.ts'

/** A window as a range of bytes: whole lines, none of which must be cut. */
export interface ByteWindow {
  start: number
  end: number
  lines: number
}

type Bounds = WindowRequest & Pick<SandboxLimits, 'maxReadBytes' | 'maxLineChars'>

/**
 * Finds a window in UTF-8 without decoding it. Null where that does not do: a line must be cut, lone carriage returns end
 * the lines, or the window begins after the end. `isWhole` says whether the bytes reach the end of the file.
 */
export function findWindow(bytes: Buffer, bounds: Bounds, isWhole: boolean): ByteWindow | null {
  if (!bytes.includes(10) && bytes.includes(13)) return null
  const start = startOfLine(bytes, bounds.offset)
  if (start === null) return null
  const { limit, maxReadBytes, maxLineChars } = bounds
  let end = start
  let lines = 0
  while (lines < limit && end < bytes.length) {
    const feed = bytes.indexOf(10, end)
    const next = feed < 0 ? bytes.length : feed + 1
    // A line has no more characters than bytes.
    if (next - end > maxLineChars) return null
    if (next - start > maxReadBytes || (feed < 0 && !isWhole)) break
    end = next
    lines += 1
  }
  return lines === 0 && bytes.length > 0 ? null : { start, end, lines }
}

function startOfLine(bytes: Buffer, line: number): number | null {
  let start = 0
  for (let seen = 1; seen < line; seen += 1) {
    const feed = bytes.indexOf(10, start)
    if (feed < 0 || feed + 1 === bytes.length) return null
    start = feed + 1
  }
  return start
}

/** The text of a window that was found, with what is said about it. */
export function textOfWindow(
  bytes: Buffer,
  { start, end, lines }: ByteWindow,
  place: { firstLine: number; isWhole: boolean },
): TextWindow {
  const more = end < bytes.length || !place.isWhole
  return {
    text: bytes.toString('utf8', start, end),
    startLine: lines === 0 ? 0 : place.firstLine,
    endLine: lines === 0 ? 0 : place.firstLine + lines - 1,
    truncated: more,
    nextOffset: more ? place.firstLine + lines : null,
    cutLines: [],
  }
}

/** Number of the file's lines, of which those up to a place are counted already. */
export function countLines(bytes: Buffer, from: number, counted: number): number {
  let lines = counted
  for (let at = from; at < bytes.length; lines += 1) {
    const feed = bytes.indexOf(10, at)
    at = feed < 0 ? bytes.length : feed + 1
  }
  return lines
}

/** What ends the lines of some UTF-8. */
export function lineEndIn(bytes: Buffer): LineEnd {
  if (bytes.includes(13)) return lineEndOfBytes(bytes)
  return bytes.includes(10) ? 'lf' : 'none'
}
