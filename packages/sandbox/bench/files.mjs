// What the guard costs: each operation against the same one unguarded, in one run, alternating, by the median of many rounds.
//   node packages/sandbox/bench/files.mjs [ROUNDS]     ends with exit code 1 when a target is missed
import {
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox } from '@kgent/sandbox'

const KIB = 1024
const rounds = Number(process.argv[2] ?? 41)

const base = mkdtempSync(join(tmpdir(), 'kgent-bench-'))
const folder = join(base, 'a', 'b', 'c')
mkdirSync(folder, { recursive: true })
const line = `${'a line of sixty-four bytes, as text in files often is. '.padEnd(63, '.')}\n`
const text = (/** @type {number} */ bytes) => line.repeat(bytes / line.length)
writeFileSync(join(folder, '4k.txt'), text(4 * KIB))
writeFileSync(join(folder, '256k.txt'), text(256 * KIB))
writeFileSync(join(folder, '100m.txt'), text(100 * KIB * KIB))
const content = text(4 * KIB)

const sandbox = createSandbox({
  mounts: [{ name: 'workspace', dir: base, mode: 'rw' }],
  limits: { maxReadLines: 1_000_000 },
})
const inSandbox = (/** @type {string} */ name) => `workspace/a/b/c/${name}`

/** @param {string} path @param {number} length */
function readUnguarded(path, length) {
  const file = openSync(path, 'r')
  const bytes = Buffer.allocUnsafe(Math.min(fstatSync(file).size, length))
  readSync(file, bytes, 0, bytes.length, 0)
  closeSync(file)
  return bytes.toString('utf8')
}

/** @type {{ name: string, target: number, times: number, guarded: () => Promise<unknown>, plain: () => unknown }[]} */
const COMPARISONS = [
  read('read 4 KB', { file: '4k.txt', target: 2.5, times: 200 }),
  read('read 256 KB', { file: '256k.txt', target: 1.1, times: 20 }),
  {
    name: 'write 4 KB',
    target: 1.5,
    times: 100,
    guarded: () => sandbox.writeFile(inSandbox('w.txt'), content),
    plain: () => writeFileSync(join(folder, 'plain.txt'), content),
  },
  read('first 256 KB of 100 MB', { file: '100m.txt', target: 1.3, times: 20 }),
]

/** @param {string} name @param {{ file: string, target: number, times: number }} what */
function read(name, { file, target, times }) {
  return {
    name,
    target,
    times,
    guarded: () => sandbox.readFile(inSandbox(file)),
    plain: () => readUnguarded(join(folder, file), 256 * KIB),
  }
}

let missed = 0
console.log(
  `${'operation'.padEnd(24)}${'guarded'.padStart(12)}${'unguarded'.padStart(12)}${'ratio'.padStart(8)}${'target'.padStart(8)}`,
)
for (const { name, target, times, guarded, plain } of COMPARISONS) {
  const results = { guarded: /** @type {number[]} */ ([]), plain: /** @type {number[]} */ ([]) }
  for (let round = -5; round < rounds; round += 1) {
    const one = await microseconds(plain, times)
    const other = await microseconds(guarded, times)
    if (round < 0) continue
    results.plain.push(one)
    results.guarded.push(other)
  }
  const [fast, slow] = [median(results.plain), median(results.guarded)]
  const ratio = slow / fast
  if (ratio > target) missed += 1
  const micro = (/** @type {number} */ value) => `${value.toFixed(1)} µs`.padStart(12)
  console.log(
    `${name.padEnd(24)}${micro(slow)}${micro(fast)}${ratio.toFixed(2).padStart(8)}${target.toFixed(1).padStart(8)}`,
  )
}
sandbox.close()
rmSync(base, { recursive: true, force: true })
process.exit(missed > 0 ? 1 : 0)

/** @param {() => unknown} operation @param {number} times */
async function microseconds(operation, times) {
  const began = performance.now()
  for (let index = 0; index < times; index += 1) await operation()
  return ((performance.now() - began) / times) * 1_000
}

/** @param {number[]} values */
function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
