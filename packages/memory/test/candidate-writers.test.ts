import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCandidateMemoryClient } from '@kgent/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linesOf, temporaryFolder } from './fixture.ts'
import { buildChild, startChild } from './run-child.ts'

let program: Awaited<ReturnType<typeof buildChild>>
beforeAll(async () => {
  program = await buildChild(new URL('./candidate-child.ts', import.meta.url))
})
afterAll(() => program.remove())

const newFile = () => join(temporaryFolder(), 'archive', 'candidate-memory.jsonl')

describe('many writers of one candidate file', () => {
  it('50 at once in one process: each fact once, each line whole', async () => {
    const file = newFile()
    const client = createCandidateMemoryClient({ file })
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => client.writeMemory(`fact ${index}`, 'team', [])),
    )
    const lines = linesOf(file)
    expect(lines).toHaveLength(50)
    expect(new Set(lines.map(({ content }) => content)).size).toBe(50)
    expect(new Set(lines.map(({ id }) => id)).size).toBe(50)
  })

  it('two processes with 25 each: each fact once, each line whole', async () => {
    const file = newFile()
    const children = ['one', 'two'].map((name) => startChild(program.file, [file, name, '25', '20000']))
    for (const { ended } of children) expect(await ended).toEqual({ code: 0, signal: null })
    const contents = linesOf(file).map(({ content }) => (content as string).replace(/(?: x)+$/, ''))
    expect(contents.sort()).toEqual(children.flatMap(({ lines }) => lines).sort())
    expect(contents).toHaveLength(50)
  })

  it('killed with SIGKILL in the middle, beside another writer: each acknowledged line stands once and whole', async () => {
    const file = newFile()
    const steady = startChild(program.file, [file, 'steady', '0', '3000'])
    const acknowledged: string[] = []
    for (let round = 0; round < 8; round += 1) {
      const victim = startChild(program.file, [file, `victim${round}`, '0', '60000'])
      await victim.printed(3 + ((round * 7) % 11))
      victim.child.kill('SIGKILL')
      await victim.ended
      acknowledged.push(...victim.lines)
    }
    steady.child.kill('SIGKILL')
    await steady.ended
    acknowledged.push(...steady.lines)
    const counts = wholeFacts(file)
    expect(acknowledged.length).toBeGreaterThan(24)
    expect(acknowledged.filter((fact) => counts.get(fact) !== 1)).toEqual([])
  })
})

describe('a line that a crash tore', () => {
  it('is ended, and the next candidate stands on a line of its own', async () => {
    const file = newFile()
    const client = createCandidateMemoryClient({ file })
    await client.writeMemory('before', 'team', [])
    appendFileSync(file, '{"v":1,"id":"torn","content":"half of')
    await client.writeMemory('after', 'team', [])
    const lines = readFileSync(file, 'utf8').split('\n')
    expect(lines).toHaveLength(4)
    expect([lines[0], lines[2]].map((line) => JSON.parse(line ?? '').content)).toEqual(['before', 'after'])
  })
})

/** How often each fact stands in the file on a whole line. */
function wholeFacts(file: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    try {
      const fact = (JSON.parse(line).content as string).replace(/(?: x)+$/, '')
      counts.set(fact, (counts.get(fact) ?? 0) + 1)
    } catch {
      // Torn by a kill: never acknowledged.
    }
  }
  return counts
}
