import { openWorkerRun, type WorkerParts, type WorkerRun } from './worker-run.ts'

const MAX_OPEN = 64

/** The runs that a worker has open. Beyond a bound the one that was used longest ago is closed, unless a call runs in it. */
export class RunShelf {
  readonly #parts: WorkerParts
  readonly #runs = new Map<string, WorkerRun>()

  constructor(parts: WorkerParts) {
    this.#parts = parts
  }

  take(runId: string): WorkerRun {
    const run = this.#runs.get(runId) ?? openWorkerRun(this.#parts, runId)
    this.#runs.delete(runId)
    this.#runs.set(runId, run)
    if (this.#runs.size > MAX_OPEN) this.#closeOldest()
    return run
  }

  close(): void {
    for (const run of this.#runs.values()) run.close()
    this.#runs.clear()
  }

  #closeOldest(): void {
    for (const [runId, run] of this.#runs) {
      if (run.running.size > 0) continue
      run.close()
      this.#runs.delete(runId)
      return
    }
  }
}
