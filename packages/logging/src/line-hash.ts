import { createHmac, hash } from 'node:crypto'
import { KgentError } from '@kgent/contracts'

const KEYED = 'hmac-sha256:'

/** Hashes a line's bytes (without its newline) for the `prev` of the next one. */
export type LineHash = (line: string | Uint8Array) => string

/**
 * The hash of a chain: SHA-256 in hex, or with a key HMAC-SHA-256 with `hmac-sha256:` in front, so that nobody without
 * the key can write a chain anew.
 * **Throws:** `KgentError` (`config_invalid`) when the key is empty.
 */
export function lineHash(hmacKey?: string | Uint8Array): LineHash {
  if (hmacKey === undefined) return (line) => hash('sha256', line, 'hex')
  if (hmacKey.length === 0) {
    throw new KgentError('config_invalid', 'The hmacKey of the log is empty. Leave it out, or give a secret.')
  }
  return (line) => KEYED + createHmac('sha256', hmacKey).update(line).digest('hex')
}

/** Whether a `prev` was written with a key. */
export function isKeyed(lineHashText: string): boolean {
  return lineHashText.startsWith(KEYED)
}
