import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { KgentError } from '@kgent/contracts'

const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/
const LOCK = 'run.lock'

/** The folders and files of one run, as host paths. */
export interface RunFolder {
  id: string
  dir: string
  /** Whether the folder held a run before. */
  continued: boolean
  workspace: string
  deliverables: string
  archive: string
  artifacts: string
  candidates: string
  manifest: string
  release(): void
}

/**
 * Creates the folder of a run, or opens that of an earlier one to continue it.
 *
 * **Throws:** `KgentError`: `config_invalid` for a bad id; `run_unusable` when it cannot be created or written, or when
 * another process is at work in it.
 */
export function openRunFolder(runsDir: string, runId: string = newRunId()): RunFolder {
  if (!RUN_ID.test(runId)) {
    throw new KgentError(
      'config_invalid',
      `Run id ${JSON.stringify(runId.slice(0, 80))} must be a plain name of letters, digits, dots, hyphens and underscores.`,
    )
  }
  const dir = join(resolve(runsDir), runId)
  const manifest = join(dir, 'run.json')
  const continued = existsSync(manifest)
  const folder = {
    id: runId,
    dir,
    continued,
    manifest,
    workspace: join(dir, 'workspace'),
    deliverables: join(dir, 'deliverables'),
    archive: join(dir, 'archive'),
    artifacts: join(dir, 'archive', 'artifacts'),
    candidates: join(dir, 'archive', 'candidate-memory.jsonl'),
  }
  asUsable(dir, () => {
    for (const needed of [folder.workspace, folder.deliverables, folder.artifacts, join(dir, 'logs')])
      makeFolder(needed)
  })
  return { ...folder, release: lock(dir) }
}

/** Level by level: Node's own recursive form never ends on file systems that refuse new folders in an odd way. */
function makeFolder(dir: string): void {
  try {
    mkdirSync(dir)
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(dir).isDirectory()) return
    if (code !== 'ENOENT' || existsSync(dirname(dir))) throw thrown
    makeFolder(dirname(dir))
    mkdirSync(dir)
  }
}

/** Sorts by time of creation: `20261201-130512-4f1c9a`. */
export function newRunId(now = new Date()): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15)
  return `${time}-${randomBytes(3).toString('hex')}`
}

/** One process at a time: two writers would break the chain of the logs. A dead process's lock is taken over. */
function lock(dir: string): () => void {
  const file = join(dir, LOCK)
  const release = () => rmSync(file, { force: true })
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (tryLock(file)) return release
    const holder = lockHolder(file)
    if (holder !== null && isAlive(holder)) {
      throw new KgentError(
        'run_unusable',
        `The run in ${dir} is open in process ${holder}. Wait for it, or choose another run id.`,
      )
    }
    release()
  }
  throw new KgentError(
    'run_unusable',
    `The run in ${dir} cannot be locked. Remove ${LOCK} there if nothing uses it.`,
  )
}

function tryLock(file: string): boolean {
  try {
    const descriptor = openSync(file, 'wx', 0o600)
    writeSync(descriptor, String(process.pid))
    closeSync(descriptor)
    return true
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw unusable(file, thrown)
  }
}

function lockHolder(file: string): number | null {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function asUsable(place: string, work: () => void): void {
  try {
    work()
  } catch (thrown) {
    throw unusable(place, thrown)
  }
}

function unusable(place: string, thrown: unknown): KgentError {
  const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown fault'
  return new KgentError(
    'run_unusable',
    `The run folder ${place} cannot be written (${code}). Choose another folder for runs, or make it writable.`,
  )
}
