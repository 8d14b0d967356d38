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

export function sniff(bytes: Buffer): SniffedBytes {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', bom: true, binary: false }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', bom: true, binary: false }
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return {
    encoding: 'utf-8',
    bom,
    binary: bytes.subarray(0, BINARY_PROBE_BYTES).includes(0) || mediaTypeOf(bytes) !== null,
  }
}

/** Decodes strictly: null when the bytes are not valid. The mark is kept, so that reading and writing back is the identity. */
export function decodeStrictly(bytes: Buffer, encoding: TextEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

const SIGNATURES: [string, string][] = [
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['47494638', 'image/gif'],
  ['25504446', 'application/pdf'],
  ['504b0304', 'application/zip'],
  ['1f8b', 'application/gzip'],
  ['7f454c46', 'application/x-executable'],
]

/** Media type by the first bytes; null for what has no signature. */
export function mediaTypeOf(bytes: Buffer): string | null {
  const head = bytes.subarray(0, 8).toString('hex')
  return SIGNATURES.find(([signature]) => head.startsWith(signature))?.[1] ?? null
}

export function binaryError(path: string, bytes: number, head: Buffer): ErrorInfo {
  const mediaType = mediaTypeOf(head) ?? 'application/octet-stream'
  return errorInfo('binary_file', `${path} is not text (${mediaType}, ${bytes} bytes).`, {
    details: { path, bytes, mediaType },
  })
}

export function encodingError(path: string, bytes: number): ErrorInfo {
  return errorInfo(
    'invalid_encoding',
    `${path} is not valid UTF-8 (${bytes} bytes); it may be in an older encoding.`,
    {
      hint: 'It is left as it is. grep_files still finds ASCII text in it.',
      details: { path, bytes },
    },
  )
}
