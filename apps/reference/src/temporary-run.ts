import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRun, type Run } from '@kgent/runtime'
import { type RunFlags, runOptions } from './shared-options.ts'

/** Assembles a run with these options in a folder of its own that is removed afterwards: for questions about what a run would be. */
export async function withTemporaryRun<T>(
  { flags, cwd }: { flags: RunFlags; cwd: string },
  work: (run: Run) => Promise<T> | T,
): Promise<T> {
  const options = runOptions(flags, cwd)
  const runsDir = mkdtempSync(join(tmpdir(), 'kgent-'))
  try {
    const run = await createRun({ ...options, runsDir })
    try {
      return await work(run)
    } finally {
      await run.close()
    }
  } finally {
    rmSync(runsDir, { recursive: true, force: true })
  }
}
