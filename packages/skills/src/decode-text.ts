/** Text of a file, or the reason why its bytes are none. */
export type DecodedText = { text: string } | { reason: string }

const MARKS = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/**
 * Decodes UTF-8, or what the mark at the start says, strictly: nothing is replaced quietly. The mark is taken off.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const mark = MARKS.find((candidate) => candidate.bytes.every((byte, index) => bytes[index] === byte))
  const encoding = mark?.encoding ?? 'utf-8'
  const text = decodeStrictly(bytes.subarray(mark?.bytes.length ?? 0), encoding)
  if (text === null)
    return { reason: `The bytes are not valid ${encoding.toUpperCase()}; save the file as UTF-8.` }
  if (text.includes('\0')) return { reason: 'The file holds NUL bytes, so it is not text; save it as UTF-8.' }
  return { text }
}

function decodeStrictly(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
