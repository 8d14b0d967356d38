import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives a folder for runs that nobody will look at: for commands that only ask what a run would be like. */
export async function inTemporaryRuns<T>(work: (runsDir: string) => Promise<T>): Promise<T> {
  const runsDir = mkdtempSync(join(tmpdir(), 'kgent-'))
  try {
    return await work(runsDir)
  } finally {
    rmSync(runsDir, { recursive: true, force: true })
  }
}
