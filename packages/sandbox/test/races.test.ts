import { fork } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CANARY, openSandbox, type Tree, tree } from './fixture.ts'

const ATTACKER = fileURLToPath(new URL('./fixtures/swap-folder.mjs', import.meta.url))
const TRIES = Number(process.env.KGENT_RACE_TRIES ?? 2_000)

/** Runs `attempt` while a second process keeps swapping `workspace/d` for a link to the outside. */
async function underAttack(attempt: (place: Tree, index: number) => Promise<unknown>) {
  const place = tree({ 'workspace/d/secret.txt': 'inside\n' })
  mkdirSync(join(place.outside, 'written'), { recursive: true })
  const attacker = fork(ATTACKER, [join(place.workspace, 'd'), place.outside])
  await new Promise((resolve) => attacker.once('message', resolve))
  let answers = ''
  for (let index = 0; index < TRIES; index += 1) answers += JSON.stringify(await attempt(place, index))
  attacker.kill('SIGKILL')
  await new Promise((resolve) => attacker.once('exit', resolve))
  return { ...place, answers }
}

describe.skipIf(!existsSync('/proc/self/fd'))('while a second process swaps a folder for a link', () => {
  it('no read, search or listing returns anything from outside', async () => {
    const { answers } = await underAttack(async ({ sandbox }) => [
      await sandbox.readFile('d/secret.txt'),
      await sandbox.grepFiles('C', { path: 'd' }),
      await sandbox.listFiles('d'),
    ])
    expect(answers).not.toContain('CANARY')
    expect(answers).not.toContain('workspace/d/written')
    expect(answers).toContain('inside')
  })

  it('no write or edit lands outside', async () => {
    const { outside } = await underAttack(async ({ sandbox }, index) => [
      await sandbox.writeFile(`d/new-${index % 50}.txt`, 'x'),
      await sandbox.writeFile(`d/sub-${index % 50}/new.txt`, 'x'),
      await sandbox.editFile('d/secret.txt', [{ oldText: 'CANARY', newText: 'pwned' }]),
    ])
    expect(readdirSync(outside).sort()).toEqual(['secret.txt', 'written'])
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe(CANARY)
  })
})

describe('a writer that is killed', () => {
  it('leaves the old content or the new, and nothing that an agent can see', async () => {
    const { base, workspace } = tree({ 'workspace/f.txt': 'old' })
    const writer = fileURLToPath(new URL('./fixtures/write-for-ever.mjs', import.meta.url))
    const rounds = Number(process.env.KGENT_CRASH_ROUNDS ?? 8)
    for (let round = 0; round < rounds; round += 1) {
      const child = fork(writer, [workspace], { execArgv: [] })
      await new Promise((resolve) => child.once('message', resolve))
      for (let spin = 0; spin < round * 40_000; spin += 1);
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
      expect(readFileSync(join(workspace, 'f.txt'), 'utf8')).toMatch(/^(old|A+|B+|C+)$/)
      const sandbox = openSandbox(base)
      const listed = await sandbox.listFiles()
      expect(listed.ok && listed.value.entries.map(({ path }) => path)).toEqual(['workspace/f.txt'])
      writeFileSync(join(workspace, 'f.txt'), 'old')
    }
  })
})
