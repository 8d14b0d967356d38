import { memoryClientCases } from '@kgent/memory/testing'
import { describe, it } from 'vitest'
import { serverBinaries, skipReason } from './postgres-server.ts'
import { startedClient } from './started-client.ts'

describe.skipIf(!serverBinaries)(`the contract of a memory client, by PostgreSQL${skipReason}`, () => {
  const started = startedClient()
  for (const { name, run } of memoryClientCases(() => started.connect())) it(name, run)
})
