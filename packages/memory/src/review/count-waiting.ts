import { dirname, resolve } from 'node:path'
import { openDecisionLedger } from './decision-ledger.ts'
import { isRunDir, readCandidates, readRunCandidates } from './read-candidates.ts'

/**
 * How many different candidates wait for a person: of one run, or of all runs, as the folder is. What cannot be read is
 * not counted. Never rejects.
 */
export async function countWaiting(dir: string): Promise<number> {
  const path = resolve(dir)
  try {
    const ofOneRun = await isRunDir(path)
    const { found } = ofOneRun ? await readRunCandidates(path) : await readCandidates(path)
    const ledger = openDecisionLedger(ofOneRun ? dirname(path) : path)
    await ledger.refresh()
    const keys = new Set(found.map(({ candidate }) => candidate.key))
    return [...keys].filter((key) => ledger.of(key).verdict === 'waiting').length
  } catch {
    return 0
  }
}
