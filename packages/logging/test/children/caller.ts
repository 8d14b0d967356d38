// Makes calls in parallel until it is killed; tells on standard output each call whose result it would have given.
import { writeSync } from 'node:fs'
import { createRunLog } from '@kgent/logging'

const [dir = '', part = '', durability = 'os'] = process.argv.slice(2)
const log = createRunLog({ dir, runId: 'run-1', durability: durability === 'disk' ? 'disk' : 'os' })
const sha256 = 'a'.repeat(64)
let count = 0

async function call(): Promise<void> {
  count += 1
  const callId = `${part}-${count}`
  const input = { sha256, bytes: 10, shape: { path: 'string(9)' } }
  const same = { tool: 'read_file', toolCallId: null, attempt: 1 }
  log.events.record({ type: 'tool.call.start', callId, data: { ...same, input } })
  await new Promise((resolve) => setImmediate(resolve))
  log.logger.record({
    runId: 'run-1',
    callId,
    ...same,
    startedAt: new Date().toISOString(),
    durationMs: 1,
    status: 'ok',
    summary: 'x'.repeat(count % 180),
    decisions: [],
    input,
    output: { sha256, bytes: 10 },
    artifacts: [],
    error: null,
  })
  log.events.record({ type: 'tool.call.end', callId, data: { ...same, status: 'ok' } })
  await Promise.all([log.logger.flush(), log.events.flush()])
  writeSync(1, `${callId}\n`)
}

async function caller(): Promise<void> {
  for (;;) await call()
}

await Promise.all(Array.from({ length: 25 }, caller))
