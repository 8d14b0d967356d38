// The one door to every task: `node scripts/run.mjs TASK [args]`, with nothing but Node and npm installed.
// It sets up what the task needs (package manager, packages, build), each only when its inputs changed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`kgent needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const at = (/** @type {string[]} */ ...parts) => join(root, ...parts)
const app = at('apps', 'reference', 'dist', 'main.js')

/** @type {Record<string, { build: boolean, file: string, args?: string[] }>} */
const TASKS = {
  demo: { build: true, file: app, args: ['run'] },
  kgent: { build: true, file: app },
  test: { build: true, file: at('scripts', 'test.mjs') },
  check: { build: false, file: at('scripts', 'check.mjs') },
  bench: { build: true, file: at('bench', 'index.mjs') },
  race: { build: true, file: at('bench', 'race.mjs') },
}

const [name = '', ...args] = process.argv.slice(2)
// Paths in the arguments are meant from where the command was typed; `npm run` has moved to the root since.
const typedIn = process.env.npm_lifecycle_event === name ? process.env.INIT_CWD : undefined
const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined
if (!task) {
  console.error(`Unknown task "${name}". Tasks: ${Object.keys(TASKS).join(', ')}.`)
  process.exit(2)
}

const env = taskEnvironment()

try {
  await locked(() => {
    installPackageManager()
    installPackages()
    if (task.build) build()
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  // Whoever reads the last line of a test run finds a count there, whatever went wrong.
  if (name === 'test') console.log('0 passed, 1 failed')
  process.exit(1)
}

if (!existsSync(task.file)) {
  console.error(`There is no ${name} task yet: ${task.file.slice(root.length + 1)} is missing.`)
  process.exit(2)
}
runTask(task.file, [...(task.args ?? []), ...args])

function installPackageManager() {
  const folder = at('tools', 'pnpm')
  once(join(folder, 'node_modules', '.kgent-stamp'), [join(folder, 'package-lock.json')], () => {
    console.error('kgent: setting up; the first time takes about half a minute.')
    must('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder)
  })
}

function installPackages() {
  const manifests = ['packages', 'apps'].flatMap((group) =>
    folders(at(group)).map((folder) => join(folder, 'package.json')),
  )
  const inputs = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'].map((file) => at(file))
  once(at('node_modules', '.kgent-stamp'), [...inputs, ...manifests], () => {
    must('pnpm', ['install', '--frozen-lockfile'])
  })
}

function build() {
  must('turbo', [
    'run',
    'build:js',
    '--output-logs=errors-only',
    '--log-order=grouped',
    '--no-update-notifier',
  ])
}

/**
 * Does the work unless the stamp says that it was done for the same inputs.
 * @param {string} stamp @param {string[]} inputs @param {() => void} work
 */
function once(stamp, inputs, work) {
  const hash = createHash('sha256').update(process.version.split('.')[0] ?? '')
  for (const input of inputs)
    if (existsSync(input)) hash.update(input.slice(root.length)).update(readFileSync(input))
  const wanted = hash.digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  rmSync(stamp, { force: true })
  work()
  writeFileSync(stamp, wanted)
}

/** @param {string} group */
function folders(group) {
  if (!existsSync(group)) return []
  return readdirSync(group, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(group, entry.name))
    .sort()
}

/**
 * Runs a set-up step, silent unless it fails.
 * @param {string} command @param {string[]} commandArgs
 */
function must(command, commandArgs, cwd = root) {
  const result = spawnSync(command, commandArgs, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (result.status === 0) return
  const reason =
    result.error?.message ?? (result.signal ? `signal ${result.signal}` : `exit code ${result.status}`)
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`.trim()
  throw new Error(
    `${output}\n\nkgent: set-up failed at \`${[command, ...commandArgs].join(' ')}\` (${reason}).`,
  )
}

/**
 * Lets one process at a time set up, so that two commands may start together on a clean clone.
 * @param {() => void} work
 */
async function locked(work) {
  const lock = at('.setup', 'lock')
  mkdirSync(dirname(lock), { recursive: true })
  while (!take(lock)) {
    if (abandoned(lock)) rmSync(lock, { recursive: true, force: true })
    else await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const release = () => rmSync(lock, { recursive: true, force: true })
  process.once('exit', release)
  try {
    work()
  } finally {
    process.off('exit', release)
    release()
  }
}

/** @param {string} lock */
function take(lock) {
  try {
    mkdirSync(lock)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
  writeFileSync(join(lock, 'pid'), String(process.pid))
  return true
}

/** @param {string} lock */
function abandoned(lock) {
  try {
    const pid = Number(readFileSync(join(lock, 'pid'), 'utf8'))
    if (pid > 0) return !alive(pid)
  } catch {}
  try {
    return Date.now() - statSync(lock).mtimeMs > 5_000
  } catch {
    return false
  }
}

/** @param {number} pid */
function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function taskEnvironment() {
  /** @type {NodeJS.ProcessEnv} */
  const result = {}
  for (const [key, value] of Object.entries(process.env)) {
    // What `npm run` adds would be read by pnpm as its own settings.
    const fromNpm =
      /^(npm_|INIT_CWD$)/i.test(key) && !/registry|proxy|ca$|cafile|_auth|strict_ssl|cert/i.test(key)
    if (!fromNpm) result[key] = value
  }
  const path = Object.keys(result).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  const bins = [at('tools', 'pnpm', 'node_modules', '.bin'), at('node_modules', '.bin')]
  result[path] = [...bins, result[path]].join(delimiter)
  result.TURBO_TELEMETRY_DISABLED = '1'
  result.DO_NOT_TRACK = '1'
  return result
}

/** @param {string} file @param {string[]} taskArgs */
function runTask(file, taskArgs) {
  /** @type {NodeJS.ProcessEnv} */
  const plain = process.stdout.isTTY || env.FORCE_COLOR ? {} : { NO_COLOR: '1' }
  const cwd = file === app ? (typedIn ?? process.cwd()) : root
  const child = spawn(process.execPath, [file, ...taskArgs], {
    cwd,
    env: { ...env, ...plain },
    stdio: 'inherit',
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    // A terminal sends its signals to the whole group: passed on as well, one Ctrl-C would count as two.
    const sentToGroup = signal !== 'SIGTERM' && process.stdin.isTTY
    process.on(signal, () => sentToGroup || child.kill(signal))
  }
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)))
}
