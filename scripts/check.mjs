// Everything that is checked without running the code: `npm run check [-- NAME ...]`.
// All checks run even when one fails, so that one run shows all there is to mend.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const turbo = [
  'turbo',
  'run',
  '--output-logs=errors-only',
  '--log-order=grouped',
  '--no-update-notifier',
  '--continue',
]

/** @type {Record<string, string[]>} */
const CHECKS = {
  lint: ['biome', 'ci', '--colors=off', '--error-on-warnings'],
  types: ['tsc', '-p', 'tsconfig.json'],
  unused: ['knip', '--no-progress'],
  build: [...turbo, 'build:js', 'build:types'],
  packages: [...turbo, 'publint', 'attw'],
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(CHECKS, name))
if (unknown.length > 0) {
  console.error(`Unknown check "${unknown.join(', ')}". Checks: ${Object.keys(CHECKS).join(', ')}.`)
  process.exit(2)
}

const failed = Object.keys(CHECKS).filter(
  (name) => (wanted.length === 0 || wanted.includes(name)) && !passes(name),
)
console.log(failed.length > 0 ? `check failed: ${failed.join(', ')}` : 'check passed')
process.exit(failed.length > 0 ? 1 : 0)

/** @param {string} name */
function passes(name) {
  const [command = '', ...args] = CHECKS[name] ?? []
  const start = performance.now()
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const ok = result.status === 0
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (!ok) console.log(`${result.error?.message ?? ''}${result.stdout ?? ''}${result.stderr ?? ''}`)
  return ok
}
