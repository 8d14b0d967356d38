import { createHmac, hash } from 'node:crypto'
import { KgentError } from '@kgent/contracts'

const KEYED = 'hmac-sha256:'

/** How the lines of a chain are hashed, by their bytes without the newline. */
export interface LineHash {
  /** For the `prev` of the next line. */
  link(line: string | Uint8Array): string
  /** For the place that says which line is the last. */
  head(line: string | Uint8Array): string
}

/**
 * SHA-256 in hex; with a key HMAC-SHA-256 with `hmac-sha256:` in front, so that nobody without the key can write a chain
 * anew. With a key, the head is none of the links, or a file could be cut and its new end be named with the `prev` of
 * the first line that was cut off.
 * **Throws:** `KgentError` (`config_invalid`) when the key is empty.
 */
export function lineHash(hmacKey?: string | Uint8Array): LineHash {
  if (hmacKey === undefined) {
    const plain = (line: string | Uint8Array): string => hash('sha256', line, 'hex')
    return { link: plain, head: plain }
  }
  if (hmacKey.length === 0) {
    throw new KgentError('config_invalid', 'The hmacKey of the log is empty. Leave it out, or give a secret.')
  }
  const keyed = (line: string | Uint8Array, use: string): string =>
    KEYED + createHmac('sha256', hmacKey).update(use).update(line).digest('hex')
  // No line holds a newline, so no link is ever a head.
  return { link: (line) => keyed(line, ''), head: (line) => keyed(line, 'head\n') }
}

/** Whether a `prev` was written with a key. */
export function isKeyed(lineHashText: string): boolean {
  return lineHashText.startsWith(KEYED)
}
