import { memoryKey, openMemoryReview } from '@kgent/memory'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { propose, temporaryFolder } from './fixture.ts'
import { type MemoryServer, startMemoryServer } from './memory-server.ts'
import { buildChild, startChild } from './run-child.ts'

const KILLS = 50
const ITEMS = 120

let program: Awaited<ReturnType<typeof buildChild>>
let server: MemoryServer
beforeAll(async () => {
  program = await buildChild(new URL('./promote-child.ts', import.meta.url))
  server = await startMemoryServer()
})
afterAll(async () => {
  program.remove()
  await server.close()
})

/** Kills at a different moment each time: before, while and after the service stores the item of a request. */
function killAt(round: number, kill: () => void): void {
  const moment = round % 4
  const request = 1 + (round % 3)
  let seen = 0
  server.fault = async (response, next) => {
    seen += 1
    if (seen !== request) return next()
    if (moment === 0) return kill()
    if (moment === 1) response.on('finish', kill)
    await next()
    if (moment === 2) kill()
    if (moment === 3) setImmediate(kill)
  }
}

it(`a promoter killed with SIGKILL ${KILLS} times ends with every accepted item stored exactly once`, async () => {
  const runsDir = temporaryFolder()
  const contents = Array.from({ length: ITEMS }, (_, index) => `Fact number ${index}`)
  await propose(
    runsDir,
    contents.map((content) => ({ run: 'run-1', content })),
  )
  const review = openMemoryReview({ runsDir })
  for (const content of contents) await review.accept(memoryKey('team', content))

  let killed = 0
  for (let round = 0; killed < KILLS; round += 1) {
    const { child, ended } = startChild(program.file, [runsDir, server.url])
    killAt(round, () => child.kill('SIGKILL'))
    const { signal } = await ended
    if (signal !== 'SIGKILL') break
    killed += 1
  }
  expect(killed).toBe(KILLS)

  server.fault = null
  const last = startChild(program.file, [runsDir, server.url])
  expect(await last.ended).toEqual({ code: 0, signal: null })
  expect(last.lines.at(-1)).toBe('done: 0 failed')
  expect(server.items.map(({ content }) => content).sort()).toEqual([...contents].sort())
  expect((await review.list({ states: ['stored'] })).groups).toHaveLength(ITEMS)
}, 60_000)
