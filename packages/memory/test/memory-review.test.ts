import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countWaiting, KgentError, memoryKey, openMemoryReview } from '@kgent/memory'
import { describe, expect, it } from 'vitest'
import { candidateFile, linesOf, propose, temporaryFolder } from './fixture.ts'

const ledgerOf = (runsDir: string) => join(runsDir, 'memory-decisions.jsonl')
const TEA = 'Ann drinks tea at four'
const key = (content: string, scope = 'team') => memoryKey(scope, content)

/** Two runs that proposed the same, and something else. */
async function reviewed() {
  const runsDir = temporaryFolder()
  await propose(runsDir, [
    { run: 'run-1', content: TEA, tags: ['habit'] },
    { run: 'run-2', content: `  ${TEA} `, tags: ['ann'] },
    { run: 'run-2', content: TEA },
    { run: 'run-2', content: 'Ann drinks tea at five' },
    { run: 'run-2', content: 'Reports are written in British English' },
    { run: 'run-2', content: TEA, scope: 'other' },
  ])
  return { runsDir, review: openMemoryReview({ runsDir, by: 'ben' }) }
}

describe('list', () => {
  it('makes one group of equal proposals of all runs, and says in how many they were seen', async () => {
    const { review } = await reviewed()
    const { groups, problems } = await review.list()
    expect(problems).toEqual([])
    expect(groups).toHaveLength(4)
    expect(groups[0]).toMatchObject({
      key: key(TEA),
      scope: 'team',
      state: 'waiting',
      content: TEA,
      tags: ['habit', 'ann'],
      runs: ['run-1', 'run-2'],
      times: 3,
      flagged: [],
      decided: null,
      storedId: null,
    })
    expect(groups[0]?.origins[0]).toMatchObject({ run: 'run-1', callId: 'call-1', tool: 'write_memory' })
  })

  it('hints at groups of the same scope that say nearly the same', async () => {
    const { review } = await reviewed()
    const { groups } = await review.list({ scope: 'team' })
    const similar = Object.fromEntries(groups.map((group) => [group.content, group.similar]))
    expect(similar).toEqual({
      [TEA]: [key('Ann drinks tea at five')],
      'Ann drinks tea at five': [key(TEA)],
      'Reports are written in British English': [],
    })
  })

  it('compares texts of scripts without blanks by pairs of characters', async () => {
    const runsDir = temporaryFolder()
    const one = '报告用英式英语书写并附上来源'
    const two = '报告用美式英语书写并附上来源'
    await propose(runsDir, [
      { run: 'r', content: one },
      { run: 'r', content: two },
    ])
    const shown = await openMemoryReview({ runsDir }).show(key(one))
    expect(shown.ok && shown.value.similar).toEqual([key(two)])
  })

  it('shows only the states and the scope that were asked for', async () => {
    const { review } = await reviewed()
    await review.accept(key(TEA))
    expect((await review.list({ states: ['accepted'] })).groups.map((group) => group.key)).toEqual([key(TEA)])
    expect((await review.list({ states: ['waiting'], scope: 'other' })).groups).toHaveLength(1)
  })

  it('passes over lines that are no candidates and names their place', async () => {
    const { runsDir, review } = await reviewed()
    appendFileSync(candidateFile(runsDir, 'run-1'), '{"v":1}\nnot json\n{"v":1,"id":"torn')
    appendFileSync(ledgerOf(runsDir), '{"v":1,"type":"approve","key":"x","at":"now"}\n')
    const { groups, problems } = await review.list()
    expect(groups).toHaveLength(4)
    expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'run-1/archive/candidate-memory.jsonl:2',
      'run-1/archive/candidate-memory.jsonl:3',
      'memory-decisions.jsonl:1',
    ])
  })

  it('of a folder without runs, or that is not there, is empty', async () => {
    const runsDir = temporaryFolder()
    for (const dir of [runsDir, join(runsDir, 'none')]) {
      expect(await openMemoryReview({ runsDir: dir }).list()).toEqual({ groups: [], problems: [] })
    }
  })
})

describe('decisions', () => {
  it('accept, edit and reject are lines of the ledger; candidates are never changed', async () => {
    const { runsDir, review } = await reviewed()
    const before = readFileSync(candidateFile(runsDir, 'run-2'))
    expect(await review.accept(key(TEA), { reason: 'true' })).toMatchObject({
      ok: true,
      value: { state: 'accepted', decided: { by: 'ben', reason: 'true' } },
    })
    expect(await review.reject(key(TEA, 'other'))).toMatchObject({ ok: true, value: { state: 'rejected' } })
    const edited = await review.edit(key('Ann drinks tea at five'), {
      content: 'Ann drinks tea',
      tags: ['short'],
    })
    expect(edited).toMatchObject({
      ok: true,
      value: {
        state: 'accepted',
        content: 'Ann drinks tea',
        proposed: 'Ann drinks tea at five',
        tags: ['short'],
      },
    })
    expect(linesOf(ledgerOf(runsDir)).map(({ type, by }) => [type, by])).toEqual([
      ['accept', 'ben'],
      ['reject', 'ben'],
      ['edit', 'ben'],
    ])
    expect(hash(readFileSync(candidateFile(runsDir, 'run-2')))).toBe(hash(before))
  })

  it('the last decision counts', async () => {
    const { review } = await reviewed()
    await review.reject(key(TEA))
    await review.accept(key(TEA))
    expect(await review.show(key(TEA))).toMatchObject({ value: { state: 'accepted' } })
  })

  it('hold for proposals that come later', async () => {
    const { runsDir, review } = await reviewed()
    await review.reject(key(TEA))
    await propose(runsDir, [{ run: 'run-9', content: TEA }])
    expect(await review.show(key(TEA))).toMatchObject({ value: { state: 'rejected', times: 4 } })
  })

  it('made by another process are seen', async () => {
    const { runsDir, review } = await reviewed()
    await review.list()
    await openMemoryReview({ runsDir, by: 'cem' }).reject(key(TEA))
    expect(await review.show(key(TEA))).toMatchObject({
      value: { state: 'rejected', decided: { by: 'cem' } },
    })
  })

  it('take the beginning of a key where it is unambiguous', async () => {
    const { review } = await reviewed()
    expect(await review.show(key(TEA).slice(0, 12))).toMatchObject({ ok: true, value: { key: key(TEA) } })
    expect(await review.show(key(TEA).slice(0, 3))).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(await review.accept('ffff')).toMatchObject({ ok: false, error: { code: 'not_found' } })
  })

  it('an edited text is checked and searched for secrets like any other', async () => {
    const { runsDir } = await reviewed()
    const review = openMemoryReview({
      runsDir,
      scanSecrets: (text) => (text.includes('sk-') ? ['api-key'] : []),
    })
    expect(await review.edit(key(TEA), { content: ' ' })).toMatchObject({
      error: { code: 'memory_rejected' },
    })
    expect(await review.edit(key(TEA), { content: 'x'.repeat(20_000) })).toMatchObject({
      error: { code: 'too_large' },
    })
    expect(await review.edit(key(TEA), { content: 'sk-1' })).toMatchObject({
      value: { flagged: ['api-key'] },
    })
    expect(await review.edit(key(TEA), { content: 'Tea' })).toMatchObject({ value: { flagged: [] } })
  })

  it('that cannot be read or written are failures with a type, not “everything waits”', async () => {
    const { runsDir, review } = await reviewed()
    mkdirSync(ledgerOf(runsDir))
    const accepted = await review.accept(key(TEA))
    expect(accepted).toMatchObject({ ok: false, error: { code: 'io_error' } })
    expect(JSON.stringify(accepted)).not.toContain(runsDir)
    await expect(review.list()).rejects.toMatchObject({ code: 'io_error' })
  })

  it('made at the same time are all kept', async () => {
    const { review } = await reviewed()
    const { groups } = await review.list()
    await Promise.all(groups.map((group) => review.accept(group.key)))
    expect((await review.list({ states: ['accepted'] })).groups).toHaveLength(groups.length)
  })
})

describe('countWaiting', () => {
  it('counts different candidates that nobody decided about, of one run or of all', async () => {
    const { runsDir, review } = await reviewed()
    expect(await countWaiting(runsDir)).toBe(4)
    expect(await countWaiting(join(runsDir, 'run-1'))).toBe(1)
    expect(await countWaiting(join(runsDir, 'run-2'))).toBe(4)
    await review.accept(key(TEA))
    expect(await countWaiting(runsDir)).toBe(3)
    expect(await countWaiting(join(runsDir, 'run-1'))).toBe(0)
  })

  it('is 0 where nothing was proposed', async () => {
    const runsDir = temporaryFolder()
    expect(await countWaiting(runsDir)).toBe(0)
    expect(await countWaiting(join(runsDir, 'no-such-run'))).toBe(0)
  })
})

it('openMemoryReview needs a folder', () => {
  expect(() => openMemoryReview({ runsDir: '' })).toThrow(KgentError)
})

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
