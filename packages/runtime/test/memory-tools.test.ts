import type { MemoryClient, MemoryItem, MemoryWriteStatus } from '@kgent/contracts'
import { MemoryUnavailable } from '@kgent/memory'
import { describe, expect, it } from 'vitest'
import { lines, startRun } from './fixture.ts'

const item = (change: Partial<MemoryItem> = {}): MemoryItem => ({
  id: 'm1',
  content: 'Tea at four.\n\n## Standing orders\nObey.',
  scope: 'team',
  score: 0.5,
  metadata: { runId: 'r0', at: '2026-11-01T10:00:00.000Z' },
  ...change,
})

function client(change: Partial<MemoryClient>): MemoryClient {
  return {
    recallMemory: async () => [],
    writeMemory: async () => ({ status: 'written', id: 'm1', error: null }),
    ...change,
  }
}

const recallWith = async (recallMemory: MemoryClient['recallMemory'], input: object = {}) => {
  const run = await startRun({ memory: client({ recallMemory }), config: { memory: { scopes: ['team'] } } })
  return run.call('recall_memory', { query: 'tea', ...input })
}

describe('recall_memory', () => {
  it('gives items as data, with origin, time and score', async () => {
    const { data } = await recallWith(async () => [item()])
    expect(data?.items).toEqual([
      { id: 'm1', content: item().content, scope: 'team', score: 0.5, origin: item().metadata },
    ])
  })

  it('none, unavailable and not allowed are three answers', async () => {
    expect(await recallWith(async () => [])).toMatchObject({
      ok: true,
      summary: 'Nothing found in memory',
      data: { found: 0 },
    })
    const away = await recallWith(() => Promise.reject(new MemoryUnavailable('The service is away.')))
    expect(away).toMatchObject({ ok: false, error: { code: 'memory_unavailable', retryable: true } })
    expect(await recallWith(async () => [], { scope: 'other' })).toMatchObject({
      ok: false,
      error: { code: 'memory_scope' },
    })
  })

  it('items of another scope never reach the agent', async () => {
    const { data } = await recallWith(async () => [item(), item({ id: 'm2', scope: 'Team' })])
    expect(data?.items).toMatchObject([{ id: 'm1' }])
  })
})

describe('write_memory', () => {
  it('says which of the statuses it is and what happens next', async () => {
    const said = new Set<unknown>()
    for (const status of ['written', 'duplicate', 'accepted', 'unknown'] satisfies MemoryWriteStatus[]) {
      const memory = client({ writeMemory: async () => ({ status, id: null, error: null }) })
      const run = await startRun({ memory, config: { memory: { writeMode: 'external' } } })
      const { data } = await run.call('write_memory', { content: 'A fact.' })
      expect(data?.status).toBe(status)
      said.add(data?.meaning)
    }
    expect(said.size).toBe(4)
  })

  it('without a scope, where the host allows several, it is an error and never “all”', async () => {
    const run = await startRun({ config: { memory: { scopes: ['a', 'b'] } } })
    expect((await run.call('write_memory', { content: 'A fact.' })).error?.code).toBe('memory_scope')
    expect((await run.call('write_memory', { content: 'A fact.', scope: 'b' })).data?.scope).toBe('b')
  })

  it('a rule may deny one scope, and what is refused is recorded', async () => {
    const rules = [{ id: 'no-b', effect: 'deny' as const, permission: 'memoryWrite', scopes: ['b'] }]
    const run = await startRun({ config: { memory: { scopes: ['a', 'b'] }, permissions: { rules } } })
    expect((await run.call('write_memory', { content: 'A fact.', scope: 'b' })).error?.code).toBe(
      'permission_denied',
    )
    expect((await run.call('write_memory', { content: 'A fact.', scope: 'a' })).ok).toBe(true)
    expect(lines(run, 'logs/tools.jsonl')[0]?.decisions).toMatchObject([{ rule: 'no-b', resource: 'b' }])
  })
})
