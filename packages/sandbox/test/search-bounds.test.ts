import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectFailure, openSandbox, tree, unwrap } from './fixture.ts'

const KIB = 1024
const NO_BOUNDS = { maxGrepMatches: 1_000_000, grepTimeoutMs: 600_000 }

/** Lines and columns as a plain loop over the lines finds them. */
function plainly(text: string, pattern: RegExp): [number, number][] {
  return text.split('\n').flatMap((line, index) => {
    const at = line.replace(/\r$/, '').search(pattern)
    return at < 0 ? [] : [[index + 1, at + 1] as [number, number]]
  })
}

describe('a search', () => {
  it('finds what a plain loop finds, wherever a file is cut into parts', async () => {
    const { sandbox, workspace } = tree({}, NO_BOUNDS)
    const part = fc.constantFrom('needle', 'x', 'ß漢', '👩‍🚀', '\n', '\r\n', 'some words ', 'y'.repeat(900))
    const parts = fc.array(part, { minLength: 1, maxLength: 12 }).map((all) => all.join(''))
    const patterns: [string, RegExp][] = [
      ['needle', /needle/],
      ['needle|words', /needle|words/],
      ['[xy]n?e', /[xy]n?e/],
      ['^needle', /^needle/],
      ['e$', /e$/],
    ]
    await fc.assert(
      fc.asyncProperty(parts, fc.constantFrom(...patterns), async (text, [pattern, expression]) => {
        const whole = text.repeat(Math.ceil((300 * KIB) / text.length))
        // A line that is longer than a part is another matter: see below.
        if (whole.split('\n').some((line) => line.length > 30 * KIB)) return
        writeFileSync(join(workspace, 'f'), whole)
        const { matches } = unwrap(await sandbox.grepFiles(pattern))
        expect(matches.map(({ line, column }) => [line, column])).toEqual(plainly(whole, expression))
      }),
      { numRuns: 60 },
    )
  })

  it('finds a text anywhere in a line of any length, with its column', async () => {
    for (const before of [127 * KIB - 3, 128 * KIB - 3, 128 * KIB, 500 * KIB]) {
      const { sandbox } = tree({
        'workspace/f': `first\n${'ß'.repeat(before / 2)}needle${'z'.repeat(300 * KIB)}\nneedle\n`,
      })
      const { matches, limitsHit } = unwrap(await sandbox.grepFiles('needle'))
      expect(matches.map(({ line, column }) => [line, column])).toEqual([
        [2, Math.floor(before / 2) + 1],
        [3, 1],
      ])
      expect(matches.every(({ text }) => text.includes('needle') && text.length <= 500)).toBe(true)
      expect(limitsHit).toEqual(['lineChars'])
    }
  })

  it('takes no edge of a part of a line for an edge of the line', async () => {
    const { sandbox } = tree({ 'workspace/f': `${'x'.repeat(700 * KIB)}y` })
    for (const pattern of ['^x', 'y$']) expect(unwrap(await sandbox.grepFiles(pattern)).matchCount).toBe(1)
    for (const pattern of ['x$', '^y', '\\bx+\\b'])
      expect(
        unwrap(await sandbox.grepFiles(pattern))
          .matches.map(({ column }) => column)
          .filter((at) => at > 1),
      ).toEqual([])
  })

  it('is linear for every text: rare alternatives, long texts, many matches with context', async () => {
    const { sandbox, workspace } = tree({}, { ...NO_BOUNDS, maxGrepMatches: 2_000 })
    writeFileSync(join(workspace, 'f'), 'a\n'.repeat(2_000_000))
    expect(unwrap(await sandbox.grepFiles('a|zzzz', { output: 'count' })).files[0]?.count).toBe(2_000_000)
    expect(unwrap(await sandbox.grepFiles('a', { context: 3 })).matches).toHaveLength(2_000)
    writeFileSync(join(workspace, 'f'), 'a'.repeat(4_000_000))
    const long = `${'a'.repeat(2_000)}b${'a'.repeat(2_000)}`
    expect(unwrap(await sandbox.grepFiles(long, { literal: true })).matchCount).toBe(0)
  })

  it('is cancelled, and out of time, in the middle of one file', async () => {
    const { sandbox, base } = tree({ 'workspace/f': Buffer.alloc(60_000_000, 'some words\n') })
    const controller = new AbortController()
    setImmediate(() => controller.abort())
    expectFailure(await sandbox.grepFiles('w[xyz]rds?', { signal: controller.signal }), 'aborted', base)
    const hurried = openSandbox(base, { grepTimeoutMs: 1 })
    expect(unwrap(await hurried.grepFiles('w[xyz]rds?')).limitsHit).toEqual(['time'])
  })

  it('lets others have their turn', async () => {
    const { sandbox } = tree({ 'workspace/f': Buffer.alloc(60_000_000, 'some words\n') })
    let turns = 0
    const beat = setInterval(() => {
      turns += 1
    }, 1)
    await sandbox.grepFiles('w[xyz]rds?')
    clearInterval(beat)
    expect(turns).toBeGreaterThan(3)
  })
})
