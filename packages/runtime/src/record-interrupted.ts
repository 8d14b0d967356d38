import { findInterrupted, type RunLog } from '@kgent/logging'
import type { RunFolder } from './run-folder.ts'

/** Ends the calls that an earlier process left open: each gets its record, as `interrupted`, and its end event. */
export async function recordInterrupted(folder: RunFolder, log: RunLog): Promise<void> {
  for (const { record, event } of await findInterrupted(folder.dir)) {
    if (record) log.logger.record(record)
    log.events.record(event)
  }
  await Promise.all([log.logger.flush(), log.events.flush()])
}
