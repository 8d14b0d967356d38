import { hash } from 'node:crypto'

/**
 * The default idempotency key: two texts that differ only in blanks, or in forms that Unicode calls compatible, are one
 * item of a scope.
 */
export function memoryKey(scope: string, content: string): string {
  return hash('sha256', `${scope}\0${normalised(content)}`, 'hex')
}

function normalised(content: string): string {
  return content.normalize('NFKC').trim().replace(/\s+/g, ' ')
}
