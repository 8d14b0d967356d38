import { type ErrorInfo, errorInfo, type FileWindow } from '@kgent/contracts'

export type TextEncoding = FileWindow['encoding']

const BINARY_PROBE_BYTES = 8_192

/** What the first bytes of a file say about it. */
export interface SniffedBytes {
  encoding: TextEncoding
  /** Whether it begins with a byte order mark. */
  bom: boolean
  /** Whether it is not text at all, by its bytes and not by its name. */
  binary: boolean
}

const UTF_16_LE: SniffedBytes = Object.freeze({ encoding: 'utf-16le', bom: true, binary: false })
const UTF_16_BE: SniffedBytes = Object.freeze({ encoding: 'utf-16be', bom: true, binary: false })
const UTF_8_WITH_MARK: SniffedBytes = Object.freeze({ encoding: 'utf-8', bom: true, binary: false })
const UTF_8: SniffedBytes = Object.freeze({ encoding: 'utf-8', bom: false, binary: false })
const BINARY: SniffedBytes = Object.freeze({ encoding: 'utf-8', bom: false, binary: true })

export function sniff(bytes: Buffer): SniffedBytes {
  const [first, second, third, fourth] = bytes
  // A third and fourth zero make it UTF-32, which nobody reads here.
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? BINARY : UTF_16_LE
  if (first === 0xfe && second === 0xff) return UTF_16_BE
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0) || mediaTypeOf(bytes) !== null) return BINARY
  return first === 0xef && second === 0xbb && third === 0xbf ? UTF_8_WITH_MARK : UTF_8
}

/** Decodes strictly: null when the bytes are not valid. The mark is kept, so that reading and writing back is the identity. */
export function decodeStrictly(bytes: Buffer, encoding: TextEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

export function encodeText(text: string, encoding: TextEncoding): Buffer {
  const bytes = Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'utf16le')
  return encoding === 'utf-16be' ? bytes.swap16() : bytes
}

/** First bytes that no text has, and what they stand for. */
const SIGNATURES: readonly [Buffer, string][] = [
  [Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png'],
  [Buffer.from('ffd8ff', 'hex'), 'image/jpeg'],
  [Buffer.from('GIF87a'), 'image/gif'],
  [Buffer.from('GIF89a'), 'image/gif'],
  [Buffer.from('%PDF-'), 'application/pdf'],
  [Buffer.from('504b0304', 'hex'), 'application/zip'],
  [Buffer.from('1f8b', 'hex'), 'application/gzip'],
  [Buffer.from('7f454c46', 'hex'), 'application/x-executable'],
]

/** Media type by the first bytes; null for what has no signature. */
export function mediaTypeOf(bytes: Buffer): string | null {
  const [first] = bytes
  const found = SIGNATURES.find(
    ([signature]) => signature[0] === first && bytes.subarray(0, signature.length).equals(signature),
  )
  return found?.[1] ?? null
}

export function binaryError(path: string, bytes: number, head: Buffer): ErrorInfo {
  const mediaType = mediaTypeOf(head) ?? 'application/octet-stream'
  return errorInfo('binary_file', `${path} is not text (${mediaType}, ${bytes} bytes).`, {
    details: { path, bytes, mediaType },
  })
}

export function encodingError(path: string, file: { bytes: number; encoding: TextEncoding }): ErrorInfo {
  const { bytes, encoding } = file
  const older = encoding === 'utf-8' ? '; it may be in an older encoding' : ''
  return errorInfo(
    'invalid_encoding',
    `${path} is not valid ${encoding.toUpperCase()} (${bytes} bytes)${older}.`,
    {
      hint: 'It is left as it is. grep_files still finds ASCII text in it.',
      details: { path, bytes },
    },
  )
}
