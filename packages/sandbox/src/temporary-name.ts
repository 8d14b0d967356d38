import { randomBytes } from 'node:crypto'

const PREFIX = '.kgent-write-'

/** Name of a file that is being written. Agents can neither see nor name it. */
export function temporaryName(): string {
  return `${PREFIX}${process.pid}-${randomBytes(6).toString('base64url')}`
}

export function isTemporaryName(name: string): boolean {
  return name.startsWith(PREFIX)
}

/** The process that was writing, or null for a name of another form. */
export function writerOf(name: string): number | null {
  const pid = Number(/^\.kgent-write-(\d+)-/.exec(name)?.[1])
  return Number.isSafeInteger(pid) ? pid : null
}
