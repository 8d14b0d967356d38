// Searching a tree through the sandbox against a plain loop of readFile, split and RegExp.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox } from '@kgent/sandbox'
import { compare } from './measure.mjs'

const FILES = 1_500
const folder = mkdtempSync(join(tmpdir(), 'kgent-bench-'))
for (let index = 0; index < FILES; index += 1) {
  const dir = join(folder, `d${index % 40}`)
  mkdirSync(dir, { recursive: true })
  const line = (/** @type {number} */ n) =>
    `export const value${n} = compute(${index}, ${n}) // some words to look through`
  const lines = Array.from({ length: 120 }, (_, n) =>
    index === 700 && n === 60 ? 'the rare needle' : line(n),
  )
  writeFileSync(join(dir, `f${index}.ts`), lines.join('\n'))
}
const sandbox = createSandbox({
  mounts: [{ name: 'workspace', dir: folder }],
  limits: { grepTimeoutMs: 60_000 },
})

/** @param {RegExp} pattern */
function plainLoop(pattern) {
  let found = 0
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts')) continue
    for (const line of readFileSync(join(folder, path), 'utf8').split('\n'))
      if (pattern.test(line)) found += 1
  }
  return found
}

for (const [name, pattern] of /** @type {const} */ ([
  ['a rare literal', 'rare needle'],
  ['alternatives', 'rare needle|other thing'],
  ['a regular expression', 'r[a-z]+ needle$'],
])) {
  console.log(`\n${name}: ${pattern} in ${FILES} files`)
  await compare(
    {
      'plain loop (readFile, split, RegExp)': () => plainLoop(new RegExp(pattern)),
      'sandbox.grepFiles': () => sandbox.grepFiles(pattern),
    },
    { rounds: 5, warmUp: 1 },
  )
}
sandbox.close()
rmSync(folder, { recursive: true, force: true })
