// Starts the process that swaps names: written in C where a compiler is there (ten times as many swaps), else in Node.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url))
const [command, ...before] = attackingCommand()

/** What attacks, in words. */
export const attacker = before.length > 0 ? 'renames in Node' : 'atomic exchanges in C'

/**
 * Swaps a name for a link to the target until it is killed.
 * @param {[name: string, target: string]} swap
 */
export async function startSwapping(swap) {
  const child = spawn(command, [...before, ...swap], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('exit', () => reject(new Error('The attacking process ended before it began.')))
  })
  return {
    kill() {
      child.kill('SIGKILL')
      return ended
    },
  }
}

/** @returns {[string, ...string[]]} */
function attackingCommand() {
  const inNode = /** @type {[string, string]} */ ([process.execPath, here('swap.mjs')])
  if (process.platform !== 'linux') return inNode
  const folder = mkdtempSync(join(tmpdir(), 'kgent-exchange-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'exchange')
  return spawnSync('cc', ['-O1', '-o', program, here('exchange.c')]).status === 0 ? [program] : inNode
}
