import { type QueueState, queueStates } from '@kgent/worker-bullmq'
import type { PlacedTools } from './placed-tools.ts'

/** Where the calls of a run were run, and how its queues stand at its end. */
export interface WorkerReport {
  /** Calls by worker. */
  calls: Record<string, number>
  /** Null when Redis did not answer. */
  queues: QueueState[] | null
}

/** Ends the remote tools of a run and reports on them; null when it had none. */
export async function workerReport(
  workers: string | undefined,
  placed: PlacedTools,
): Promise<WorkerReport | null> {
  await placed.close()
  if (workers === undefined) return null
  const queues = await queueStates({ connection: workers, queues: ['read', 'write'] }).catch(() => null)
  return { calls: Object.fromEntries(placed.calls), queues }
}

/** The report for people. */
export function workerLines({ calls, queues }: WorkerReport): string {
  const ran = Object.entries(calls).map(([worker, count]) => `  ${worker}: ${count} calls`)
  const states = queues?.map(
    ({ queue, waiting, active, workers }) =>
      `  queue ${queue}: ${waiting} waiting, ${active} active, ${workers.length} workers`,
  ) ?? ['  Redis did not say how the queues stand.']
  return ['workers', ...ran, ...states, ''].join('\n')
}
