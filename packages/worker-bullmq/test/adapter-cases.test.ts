import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { createToolset, Toolset } from '@kgent/tools-core'
import { adapterCases, gateOf } from '@kgent/tools-core/testing'
import { remoteTools, serveTools, type ToolServer } from '@kgent/worker-bullmq'
import { afterAll, afterEach, beforeAll, beforeEach, describe, it, vi } from 'vitest'
import { driverOf } from '../../adapter-ai-sdk/test/driver.ts'
import { SDKS, WAYS } from '../../adapter-ai-sdk/test/sdk.ts'
import { hasRedis, needsRedis, type RedisServer, startRedis } from './redis-server.ts'

/** The driver of the AI SDK adapter as it is; only what binds the kit's tools to its run is ours. */
describe.skipIf(!hasRedis)(`the adapter kit with remote tools${needsRedis}`, () => {
  let redis: RedisServer
  const open: { close(): Promise<unknown> }[] = []
  const folders: string[] = []
  beforeAll(async () => {
    redis = await startRedis()
  })
  // AI SDK 5 reports the forged messages that it refuses on the console as well.
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const part of open.splice(0).reverse()) await part.close()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  afterAll(() => redis?.stop())

  /** A worker of its own for each scenario, started when the kit binds its tools. */
  const bind: typeof createToolset = (tools, binding): Toolset => {
    const runsDir = mkdtempSync(join(tmpdir(), 'kgent-kit-'))
    folders.push(runsDir)
    for (const folder of ['workspace', 'deliverables', 'archive/artifacts', 'archive/calls'])
      mkdirSync(join(runsDir, binding.context.runId, folder), { recursive: true })
    const shared = {
      connection: redis.url,
      tools,
      runsDir,
      prefix: `kit${Math.random().toString(36).slice(2)}`,
    }
    const server: Promise<ToolServer> = serveTools({ ...shared, policy: gateOf(), queues: QUEUES })
    open.push({ close: async () => (await server).close() })
    const toolset = remoteTools({ ...shared, ...binding, pollMs: 50 })
    open.push(toolset)
    return toolset
  }

  describe.each(SDKS)('AI SDK $major', (sdk) => {
    describe.each(WAYS)('%s', (way) => {
      for (const { id, name, notApplicable, run } of adapterCases({ ...driverOf(sdk, way), bind }))
        it.skipIf(notApplicable !== null)(`${id}: ${name}${notApplicable ? ` (${notApplicable})` : ''}`, run)
    })
  })
})

const QUEUES = ['read', 'write', 'notes.add', 'mail.send']
