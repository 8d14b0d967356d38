import { join } from 'node:path'
import { createCandidateMemoryClient, createHttpMemoryClient, createNoopMemoryClient } from '@kgent/memory'
import { type CreateClient, memoryClientCases } from '@kgent/memory/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BROKEN, clientWith } from './broken-clients.ts'
import { temporaryFolder } from './fixture.ts'
import { type MemoryServer, startMemoryServer } from './memory-server.ts'

/** Without the cases about storing: these clients store nothing. */
const applicable = (create: CreateClient) =>
  memoryClientCases(create).filter(({ needs }) => !needs.includes('stores'))

describe('the no-op client', () => {
  for (const c of applicable(createNoopMemoryClient)) it(c.name, c.run)
})

describe('the candidate client', () => {
  const create = () => createCandidateMemoryClient({ file: join(temporaryFolder(), 'candidates.jsonl') })
  for (const c of applicable(create)) it(c.name, c.run)
})

describe('the HTTP client', () => {
  let server: MemoryServer
  beforeAll(async () => {
    server = await startMemoryServer()
  })
  afterAll(() => server.close())
  for (const c of memoryClientCases(() => createHttpMemoryClient({ baseUrl: server.url }))) it(c.name, c.run)
})

describe('memoryClientCases', () => {
  const cases = memoryClientCases(() => clientWith())
  const idsOf = (ids: readonly string[]) => ids.map((id) => `memory/${id}`)

  for (const c of cases) it(`a sound client passes: ${c.name}`, c.run)

  it('has ids and names that are distinct', () => {
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  })

  for (const { fault, noticedBy, create } of BROKEN) {
    it(`notices a client that ${fault}`, async () => {
      const failed: string[] = []
      for (const c of memoryClientCases(create).filter(({ id }) => idsOf(noticedBy).includes(id))) {
        await c.run().catch(() => failed.push(c.id))
      }
      expect(failed.sort()).toEqual(idsOf(noticedBy).sort())
    })
  }

  it('has no case that every broken client passes', () => {
    const noticed = new Set(BROKEN.flatMap(({ noticedBy }) => idsOf(noticedBy)))
    expect(cases.map(({ id }) => id).filter((id) => !noticed.has(id))).toEqual([])
  })

  it('skips, with the reason, what a client declares that it cannot do', async () => {
    const reasons: string[] = []
    for (const c of memoryClientCases(createNoopMemoryClient))
      await c.run((reason: string) => reasons.push(reason))
    expect(new Set(reasons)).toEqual(new Set(['The client declares that it has no stores.']))
  })
})
