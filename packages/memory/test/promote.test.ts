import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MemoryClient, type MemoryWriteResult, memoryKey, openMemoryReview } from '@kgent/memory'
import { describe, expect, it } from 'vitest'
import { clientWith } from './broken-clients.ts'
import { linesOf, propose, temporaryFolder } from './fixture.ts'

const ledgerOf = (runsDir: string) => linesOf(join(runsDir, 'memory-decisions.jsonl'))
const FACTS = ['Tea at four', 'Reports in English', 'Deploys on Monday']

async function accepted(contents = FACTS) {
  const runsDir = temporaryFolder()
  await propose(
    runsDir,
    contents.map((content) => ({ run: 'run-1', content })),
  )
  const review = openMemoryReview({ runsDir, by: 'ben' })
  for (const content of contents) await review.accept(memoryKey('team', content))
  return { runsDir, review }
}

/** A client without keys that answers as told and counts what it was sent. */
function plainClient(answer: MemoryWriteResult | 'never' = { status: 'written', id: '1', error: null }) {
  const sent: { content: string; key: string | undefined; metadata: unknown }[] = []
  const client: MemoryClient = {
    recallMemory: async () => [],
    writeMemory(content, _scope, _tags, options) {
      sent.push({ content, key: options?.idempotencyKey, metadata: options?.metadata })
      return answer === 'never' ? new Promise(() => {}) : Promise.resolve(answer)
    },
  }
  return { client, sent }
}

describe('promote', () => {
  it('stores what is accepted, with the key and where it came from, and notes intent and outcome', async () => {
    const { runsDir, review } = await accepted(['Tea at four'])
    const { client, sent } = plainClient()
    const key = memoryKey('team', 'Tea at four')
    expect(await review.promote(client)).toEqual({
      stored: 1,
      skipped: 0,
      failed: 0,
      groups: [{ key, status: 'written', id: '1', error: null }],
    })
    expect(sent).toEqual([
      {
        content: 'Tea at four',
        key,
        metadata: {
          runId: 'run-1',
          callId: 'call-1',
          tool: 'write_memory',
          actor: null,
          model: null,
          at: expect.any(String),
          seenInRuns: 1,
          acceptedBy: 'ben',
        },
      },
    ])
    const [, start, end] = ledgerOf(runsDir)
    expect(start).toMatchObject({ type: 'promote.start', key, storeKey: key, by: 'ben' })
    expect(end).toMatchObject({
      type: 'promote.end',
      key,
      attempt: start?.attempt,
      status: 'written',
      id: '1',
    })
    expect(await review.show(key)).toMatchObject({ value: { state: 'stored', storedId: '1' } })
  })

  it('stores nothing twice, and nothing that is not accepted', async () => {
    const { runsDir, review } = await accepted()
    await propose(runsDir, [{ run: 'run-2', content: 'Waits' }])
    await review.reject(memoryKey('team', 'Tea at four'))
    const { client, sent } = plainClient()
    await review.promote(client)
    expect((await review.promote(client)).groups).toEqual([])
    expect(sent.map(({ content }) => content).sort()).toEqual(['Deploys on Monday', 'Reports in English'])
  })

  it('stores the text of the person who edited it, under its own key', async () => {
    const { review } = await accepted(['Tea at four'])
    await review.edit(memoryKey('team', 'Tea at four'), { content: 'Tea at five' })
    const { client, sent } = plainClient()
    await review.promote(client)
    expect(sent.map(({ content, key }) => [content, key])).toEqual([
      ['Tea at five', memoryKey('team', 'Tea at five')],
    ])
  })

  it('needs a second word for what seems to hold a secret', async () => {
    const runsDir = temporaryFolder()
    await propose(runsDir, [{ run: 'run-1', content: 'token abc', scanSecrets: () => ['token'] }])
    const review = openMemoryReview({ runsDir })
    await review.accept(memoryKey('team', 'token abc'))
    const { client, sent } = plainClient()
    expect(await review.promote(client)).toMatchObject({
      skipped: 1,
      groups: [{ error: { code: 'memory_rejected' } }],
    })
    expect(sent).toEqual([])
    expect(await review.promote(client, { allowFlagged: true })).toMatchObject({ stored: 1 })
  })

  it('what the service refuses stays accepted, and is sent again the next time', async () => {
    const { review } = await accepted(['Tea at four'])
    const error = { code: 'memory_unavailable', message: 'Down.', retryable: true } as const
    const down = plainClient({ status: 'error', id: null, error })
    expect(await review.promote(down.client)).toMatchObject({
      failed: 1,
      groups: [{ status: 'error', error }],
    })
    expect(await review.show(memoryKey('team', 'Tea at four'))).toMatchObject({
      value: { state: 'accepted' },
    })
    expect(await review.promote(plainClient().client)).toMatchObject({ stored: 1 })
  })

  it('can be limited to a scope, and cancelled between items', async () => {
    const { review } = await accepted()
    expect((await review.promote(plainClient().client, { scope: 'other' })).groups).toEqual([])
    const controller = new AbortController()
    const { client, sent } = plainClient()
    await review.promote(client, { signal: controller.signal, onPromoted: () => controller.abort() })
    expect(sent).toHaveLength(1)
  })
})

describe('an answer that was lost', () => {
  const key = memoryKey('team', 'Tea at four')

  it('with a client that keeps no keys, is not sent again unless a person says so', async () => {
    const { review } = await accepted(['Tea at four'])
    const lost = plainClient('never')
    expect(await review.promote(lost.client, { timeoutMs: 5 })).toMatchObject({
      failed: 1,
      groups: [{ status: 'unknown' }],
    })
    expect(await review.show(key)).toMatchObject({ value: { state: 'uncertain' } })
    const { client, sent } = plainClient()
    expect(await review.promote(client)).toMatchObject({
      skipped: 1,
      groups: [{ error: { code: 'memory_unknown' } }],
    })
    expect(sent).toEqual([])
    expect(await review.promote(client, { resendUncertain: true })).toMatchObject({ stored: 1 })
    expect(sent.map((item) => item.key)).toEqual([key])
  })

  it('with a client that keeps keys, is sent again with the same key and stored once', async () => {
    const { review } = await accepted(['Tea at four'])
    const inner = clientWith()
    const forgetful: MemoryClient = {
      ...inner,
      async writeMemory(...call) {
        await inner.writeMemory(...call)
        return new Promise(() => {})
      },
    }
    await review.promote(forgetful, { timeoutMs: 5 })
    expect(await review.promote(inner)).toMatchObject({ stored: 1, groups: [{ status: 'duplicate' }] })
    expect(await inner.recallMemory('Tea', 'team', 5)).toHaveLength(1)
  })

  it('cannot be rejected or edited away: it may be stored', async () => {
    const { review } = await accepted(['Tea at four'])
    await review.promote(plainClient('never').client, { timeoutMs: 5 })
    expect(await review.reject(key)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('promote again') },
    })
    expect(await review.edit(key, { content: 'Other' })).toMatchObject({ ok: false })
    await review.promote(plainClient().client, { resendUncertain: true })
    expect(await review.reject(key)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('stored already') },
    })
  })
})

describe('a decision whose line comes after a promotion began', () => {
  it('is void, although it was made before anybody could know', async () => {
    const { runsDir, review } = await accepted(['Tea at four'])
    await review.promote(plainClient('never').client, { timeoutMs: 5 })
    const key = memoryKey('team', 'Tea at four')
    const late = { v: 1, at: new Date().toISOString(), by: 'cem', key }
    for (const line of [
      { ...late, type: 'reject', reason: null },
      { ...late, type: 'edit', content: 'Tea at five', tags: [], flagged: [], reason: null },
    ]) {
      appendFileSync(join(runsDir, 'memory-decisions.jsonl'), `${JSON.stringify(line)}\n`)
    }
    expect(await review.show(key)).toMatchObject({ value: { state: 'uncertain', content: 'Tea at four' } })
    const { client, sent } = plainClient()
    await review.promote(client, { resendUncertain: true })
    expect(sent.map(({ content }) => content)).toEqual(['Tea at four'])
  })
})

describe('two promoters at once', () => {
  it('send each item once, even to a client that keeps no keys', async () => {
    const { runsDir } = await accepted()
    const { client, sent } = plainClient()
    const reports = await Promise.all([1, 2, 3].map(() => openMemoryReview({ runsDir }).promote(client)))
    expect(sent.map(({ content }) => content).sort()).toEqual([...FACTS].sort())
    expect(reports.reduce((sum, { stored }) => sum + stored, 0)).toBe(FACTS.length)
  })
})
