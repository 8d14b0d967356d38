import { spawn } from 'node:child_process'
import type { SandboxSpec } from './sandbox-driver.ts'

/** Another process that works beside or against a sandbox until it is killed. */
export interface Attacker {
  kill(): Promise<void>
}

// Plain scripts, so that they run from the source and from the built package alike.
const SWAP = `
const { renameSync, symlinkSync, lstatSync } = require('node:fs')
const [name, target] = process.argv.slice(1)
const real = name + '.real', link = name + '.link'
const move = (from, to) => { try { renameSync(from, to); return true } catch { return false } }
symlinkSync(target, link)
console.log('ready')
for (let round = 0; ; round += 1) {
  move(name, real)
  if (!move(link, name)) try { symlinkSync(target, link) } catch {}
  for (let spin = 0; spin < (round % 7) * 40; spin += 1);
  // What the victim has made anew meanwhile goes aside, so that the attack goes on.
  try { move(name, lstatSync(name).isSymbolicLink() ? link : name + '.aside' + round) } catch {}
  if (!move(real, name)) { move(name, name + '.aside' + round); move(real, name) }
  for (let spin = 0; spin < (round % 5) * 60; spin += 1);
}`

const GROW = `
const { openSync, writeSync } = require('node:fs')
const file = openSync(process.argv[1], 'a')
const lines = Buffer.alloc(65536, 'needle grows\\n')
console.log('ready')
for (let written = 0; written < 200e6; written += lines.length) writeSync(file, lines)`

const RELEASE = `
const { openSync, writeSync } = require('node:fs')
console.log('ready')
setTimeout(() => {
  const fifo = openSync(process.argv[1], 'r+')
  setInterval(() => writeSync(fifo, 'released\\n'), 100)
  setTimeout(() => process.exit(), 2000)
}, 500)`

const WRITE = `
const [module, spec, path, bytes] = process.argv.slice(1)
import(module).then(async ({ create }) => {
  const sandbox = await create(JSON.parse(spec))
  for (let round = 0; ; round += 1) {
    await sandbox.writeFile(path, 'BCD'[round % 3].repeat(Number(bytes)))
    if (round === 1) console.log('ready')
  }
})`

/** Swaps a name for a link to the target and back, as fast as it can. */
export function swapForLink(name: string, target: string): Promise<Attacker> {
  return start(SWAP, [name, target])
}

/** Appends lines with “needle” to a file, up to 200 MB. */
export function growFile(file: string): Promise<Attacker> {
  return start(GROW, [file])
}

/** Lets go of whoever waits for a FIFO after half a second, and gives him the text “released”. */
export function releaseFifo(fifo: string): Promise<Attacker> {
  return start(RELEASE, [fifo])
}

/** Writes one file again and again through a sandbox of the driver's module, each time with one letter. */
export function startWriter(
  module: string,
  file: { spec: SandboxSpec; path: string; bytes: number },
): Promise<Attacker> {
  return start(WRITE, [module, JSON.stringify(file.spec), file.path, String(file.bytes)])
}

/** Starts a script in a process of its own; resolves when it says that it is ready. */
async function start(script: string, parameters: string[]): Promise<Attacker> {
  const child = spawn(process.execPath, ['-e', script, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    child.once('error', reject)
    child.once('exit', () => reject(new Error('The other process has ended before it was ready.')))
  })
  return {
    kill() {
      child.kill('SIGKILL')
      return ended
    },
  }
}
