import { join } from 'node:path'
import { KgentError } from '@kgent/contracts'
import { appendLine } from '../append-line.ts'
import type { MemoryDecision } from './decision.ts'
import { parseDecision } from './decision.ts'
import { type GroupDecisions, NO_DECISIONS, withDecision } from './group-decisions.ts'
import { readNewLines, START } from './read-new-lines.ts'

export const LEDGER_FILE = 'memory-decisions.jsonl'

/** The append-only ledger of a runs folder, with what it says so far. */
export interface DecisionLedger {
  /**
   * Reads what was appended since, by whichever process.
   * **Throws:** `KgentError` (`io_error`): without its decisions everything would seem to wait.
   */
  refresh(): Promise<void>
  /** What was decided about a group, as of the last `refresh`. */
  of(key: string): GroupDecisions
  /** Appends one line and waits until the disk has it. **Throws:** what the operating system reports. */
  append(decision: MemoryDecision): void
  /** Lines that are no decision. */
  readonly badLines: readonly number[]
}

/** Opens the ledger of a runs folder; it need not exist. */
export function openDecisionLedger(runsDir: string): DecisionLedger {
  const file = join(runsDir, LEDGER_FILE)
  const groups = new Map<string, GroupDecisions>()
  const badLines: number[] = []
  let position = START
  let reading: Promise<void> = Promise.resolve()
  return {
    badLines,
    of: (key) => groups.get(key) ?? NO_DECISIONS,
    append: (decision) => appendLine(file, JSON.stringify(decision), { sync: true }),
    refresh() {
      // One after the other: two at once would take the same lines twice.
      reading = reading.catch(() => {}).then(readOn)
      return reading.catch((thrown: NodeJS.ErrnoException) => {
        const code = thrown.code ?? 'unknown fault'
        throw new KgentError('io_error', `The ledger ${LEDGER_FILE} cannot be read (${code}).`)
      })
    },
  }

  async function readOn(): Promise<void> {
    for await (const { line, next } of readNewLines(file, position)) {
      position = next
      const decision = parseDecision(line.text)
      if (!decision) badLines.push(line.number)
      else groups.set(decision.key, withDecision(groups.get(decision.key) ?? NO_DECISIONS, decision))
    }
  }
}
