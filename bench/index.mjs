// `npm run bench`: what things cost, as ratios to the plain way of doing them, measured in one run.
// Each part is a program of its own, so that it starts with a fresh heap. `npm run bench -- call search` runs only these.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** @type {Record<string, string>} */
const PARTS = {
  call: 'bench/call.mjs',
  search: 'bench/search.mjs',
  files: 'packages/sandbox/bench/files.mjs',
  decide: 'packages/permissions/bench/decide.mjs',
  log: 'packages/logging/bench/log.mjs',
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}.`)
  process.exit(2)
}

let failed = 0
for (const [name, file] of Object.entries(PARTS)) {
  if ((wanted.length > 0 && !wanted.includes(name)) || !existsSync(join(root, file))) continue
  console.log(`\n== ${name}`)
  const ended = spawnSync(process.execPath, [join(root, file)], { stdio: 'inherit' })
  if (ended.status !== 0) failed += 1
}
process.exit(failed > 0 ? 1 : 0)
