// Makes calls until the limit on file sizes that it was started under has been reached; prints what the log says.
import { createRunLog } from '@kgent/logging'

const dir = process.argv[2] ?? ''
const log = createRunLog({ dir, runId: 'run-1' })
const told: unknown[] = []
log.events.subscribe(({ type, data }) => type === 'log.error' && told.push(data))
for (let n = 0; n < 100; n += 1) {
  log.logger.recordError({ callId: null, tool: null, code: 'internal', message: 'x'.repeat(200) })
  await log.logger.flush()
}
const { failure } = log.logger
const closed = await log.close()
console.log(JSON.stringify({ failure, told, closed: closed.failure }))
