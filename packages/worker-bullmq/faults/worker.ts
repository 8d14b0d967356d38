// A worker process for the fault runs: node worker.ts <json options>. Says `ready` on stdout, drains on SIGTERM.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PermissionGate } from '@kgent/contracts'
import { serveTools } from '@kgent/worker-bullmq'
import { faultTools } from './tools.ts'

const options = JSON.parse(process.argv[2] ?? '{}')
const allow: PermissionGate = (request) => ({
  permission: request.permission,
  resource: request.path ?? null,
  decision: 'allow',
  layer: 'config',
  rule: 'faults',
  reason: 'a fault run',
  requestedBy: [],
})
const effects = join(options.runsDir, 'effects.txt')
const tools = faultTools(async (line, ms) => {
  // The effect that must never happen twice: one line, written in one step.
  appendFileSync(effects, `${line} ${process.pid}\n`)
  await sleep(ms)
})
const server = await serveTools({ ...options, tools, policy: allow, queues: ['read', 'write'] })
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)))
console.log('ready')
