import { type FileWindow, fail, type LineEnd, type Outcome } from '@kgent/contracts'
import type { SandboxLimits } from './limits.ts'

/** The window that was asked for, in lines. */
export interface WindowRequest {
  offset: number
  limit: number
}

export type TextWindow = Pick<
  FileWindow,
  'text' | 'startLine' | 'endLine' | 'truncated' | 'nextOffset' | 'cutLines'
>

/** What ends the lines of a text: a line feed, unless there are carriage returns only. */
export type LineSeparator = '\n' | '\r'

export function separatorOf(text: string): LineSeparator {
  return !text.includes('\n') && text.includes('\r') ? '\r' : '\n'
}

/** Lines with their ends. */
export function splitLines(text: string, separator: LineSeparator): string[] {
  return text.match(separator === '\r' ? /[^\r]*\r|[^\r]+$/g : /[^\n]*\n|[^\n]+$/g) ?? []
}

export function lineEndOf(text: string): LineEnd {
  const crlf = text.split('\r\n').length - 1
  const lf = text.split('\n').length - 1 - crlf
  return kindOf({ crlf, lf, cr: text.split('\r').length - 1 - crlf })
}

function kindOf({ crlf, lf, cr }: { crlf: number; lf: number; cr: number }): LineEnd {
  const kinds = [lf > 0, crlf > 0, cr > 0].filter(Boolean).length
  if (kinds === 0) return 'none'
  if (kinds > 1) return 'mixed'
  return lf > 0 ? 'lf' : crlf > 0 ? 'crlf' : 'cr'
}

/** What ends the lines of some UTF-8, in one pass. */
export function lineEndOfBytes(bytes: Uint8Array): LineEnd {
  let [crlf, lf, cr] = [0, 0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === 13 && bytes[at + 1] !== 10) cr += 1
    else if (byte === 10 && bytes[at - 1] === 13) crlf += 1
    else if (byte === 10) lf += 1
  }
  return kindOf({ crlf, lf, cr })
}

/**
 * Takes the lines of a window, bounded in lines, bytes and characters a line. `lines` begin at `firstLine`;
 * `isWhole` says whether they reach the end of the file.
 */
export function takeWindow(
  lines: readonly string[],
  place: { firstLine: number; isWhole: boolean },
  bounds: WindowRequest & Pick<SandboxLimits, 'maxReadBytes' | 'maxLineChars'>,
): TextWindow {
  const cutLines: TextWindow['cutLines'] = []
  let text = ''
  let bytes = 0
  let taken = 0
  for (const line of lines) {
    if (taken >= bounds.limit) break
    const room = bounds.maxReadBytes - bytes
    const shown = boundLine(line, {
      chars: bounds.maxLineChars,
      bytes: taken === 0 ? room : Number.POSITIVE_INFINITY,
    })
    const size = Buffer.byteLength(shown)
    if (size > room) break
    if (shown !== line) cutLines.push({ line: place.firstLine + taken, chars: stripEnd(line).length })
    text += shown
    bytes += size
    taken += 1
  }
  const more = taken < lines.length || !place.isWhole
  return {
    text,
    startLine: taken === 0 ? 0 : place.firstLine,
    endLine: taken === 0 ? 0 : place.firstLine + taken - 1,
    truncated: more || cutLines.length > 0,
    nextOffset: more ? place.firstLine + taken : null,
    cutLines,
  }
}

/** Shortens a line to a number of characters and bytes, at a character edge, and keeps its end. */
function boundLine(line: string, bounds: { chars: number; bytes: number }): string {
  const content = stripEnd(line)
  const end = line.slice(content.length)
  if (content.length <= bounds.chars && Buffer.byteLength(line) <= bounds.bytes) return line
  let cut = content.slice(0, bounds.chars)
  while (cut !== '' && Buffer.byteLength(cut) + end.length > bounds.bytes)
    cut = cut.slice(0, Math.floor(cut.length * 0.9))
  const last = cut.charCodeAt(cut.length - 1)
  if (last >= 0xd800 && last <= 0xdbff) cut = cut.slice(0, -1)
  return cut + end
}

function stripEnd(line: string): string {
  return line.replace(/(\r\n|\n|\r)$/, '')
}

export function pastTheEnd(path: string, lines: number): Outcome<never> {
  return fail(
    'invalid_input',
    `${path} has ${lines} line${lines === 1 ? '' : 's'}; the window begins after its end.`,
    { details: { totalLines: lines } },
  )
}
