import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DescribedMemoryClient, KgentError, memoryKey, openMemoryReview } from '@kgent/memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { propose } from './fixture.ts'

type Step =
  | { do: 'accept'; item: number }
  | { do: 'reject'; item: number }
  | { do: 'edit'; item: number }
  | { do: 'promote'; answer: 'stored' | 'refused' | 'stored, then lost' | 'lost before it came' }
  /** The promoter dies before it can note the outcome. */
  | { do: 'die'; stored: boolean }

const ITEMS = ['Tea at four', 'Reports in English']
const item = fc.integer({ min: 0, max: ITEMS.length - 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('accept' as const), item }),
  fc.record({ do: fc.constant('reject' as const), item }),
  fc.record({ do: fc.constant('edit' as const), item }),
  fc.record({
    do: fc.constant('promote' as const),
    answer: fc.constantFrom('stored', 'refused', 'stored, then lost', 'lost before it came'),
  }),
  fc.record({ do: fc.constant('die' as const), stored: fc.boolean() }),
)

/** A store that counts how often each group's text came to lie in it, with or without keys. */
function store(keepsKeys: boolean) {
  const held: { key: string; content: string }[] = []
  let answer: string = 'stored'
  const put = (key: string, content: string) => {
    const isKnown = keepsKeys && held.some((entry) => entry.key === key)
    if (!isKnown) held.push({ key, content })
    return { status: isKnown ? ('duplicate' as const) : ('written' as const), id: key, error: null }
  }
  const client: DescribedMemoryClient = {
    supports: { idempotencyKeys: keepsKeys },
    recallMemory: async () => [],
    async writeMemory(content, _scope, _tags, { idempotencyKey = '' } = {}) {
      if (answer === 'refused')
        return { status: 'error', id: null, error: new KgentError('memory_rejected', 'No.').info }
      const isLost = answer.includes('lost')
      if (answer !== 'lost before it came') put(idempotencyKey, content)
      if (isLost) throw new Error('connection lost')
      return { status: 'written', id: idempotencyKey, error: null }
    },
  }
  const answerWith = (next: string) => {
    answer = next
  }
  return { client, held, answerWith }
}

async function play(steps: readonly Step[], keepsKeys: boolean) {
  const runsDir = mkdtempSync(join(tmpdir(), 'kgent-promote-'))
  const ledger = join(runsDir, 'memory-decisions.jsonl')
  const { client, held, answerWith } = store(keepsKeys)
  await propose(
    runsDir,
    ITEMS.map((content) => ({ run: 'run-1', content })),
  )
  const keyOf = (index: number) => memoryKey('team', ITEMS[index] ?? '')
  try {
    for (const next of steps) {
      // A new review each time: only the files are remembered.
      const review = openMemoryReview({ runsDir })
      if (next.do === 'accept' || next.do === 'reject') await review[next.do](keyOf(next.item))
      else if (next.do === 'edit')
        await review.edit(keyOf(next.item), { content: `Edited: ${ITEMS[next.item]}` })
      else {
        answerWith(next.do === 'promote' ? next.answer : next.stored ? 'stored' : 'lost before it came')
        await review.promote(client)
        if (next.do === 'die') forgetLastOutcome(ledger)
      }
    }
    answerWith('stored')
    const review = openMemoryReview({ runsDir })
    await review.promote(client)
    return { held, groups: (await review.list()).groups }
  } finally {
    rmSync(runsDir, { recursive: true, force: true })
  }
}

/** Takes the outcome line off the end of the ledger, as if the process had died before writing it. */
function forgetLastOutcome(ledger: string): void {
  const text = readFileSync(ledger, { encoding: 'utf8', flag: 'a+' })
  const start = text.lastIndexOf('\n', text.length - 2) + 1
  if (text.slice(start).includes('"promote.end"'))
    truncateSync(ledger, Buffer.byteLength(text.slice(0, start)))
}

it('whatever is decided, lost and killed in whatever order, nothing is stored twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 9 }), fc.boolean(), async (steps, keepsKeys) => {
      const { held, groups } = await play(steps, keepsKeys)
      for (const [index, content] of ITEMS.entries()) {
        const copies = held.filter((entry) => entry.content.endsWith(content)).length
        const group = groups.find(({ key }) => key === memoryKey('team', ITEMS[index] ?? ''))
        expect(copies).toBeLessThanOrEqual(1)
        if (group?.state === 'stored') expect(copies).toBe(1)
        if (keepsKeys) expect(group?.state).not.toBe('uncertain')
        if (group?.state === 'waiting' || group?.state === 'rejected') expect(copies).toBe(0)
      }
    }),
    { numRuns: 60 },
  )
})
