import { hash } from 'node:crypto'
import {
  chmodSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The folders of one case on the host: three mounts, and a world around them that holds a canary everywhere. */
export class CaseTree {
  /** Above everything. */
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-case-')))
  readonly canary = `CANARY${hash('sha256', this.base, 'hex').slice(0, 16)}`
  readonly run = join(this.base, 'runs', 'r1')
  readonly workspace = join(this.run, 'workspace')
  readonly deliverables = join(this.run, 'deliverables')
  readonly logs = join(this.run, 'logs')
  readonly reference = join(this.base, 'reference')
  readonly outside = join(this.base, 'outside')
  readonly home = join(this.base, 'home')
  /** Given to the sandbox as `workspace`; a case may put a link here. */
  workspaceDir = this.workspace
  readonly #undo: (() => unknown)[] = []

  constructor() {
    const { canary } = this
    for (const folder of [this.workspace, this.deliverables]) mkdirSync(folder, { recursive: true })
    for (const path of [
      'outside/secret.txt',
      'outside/d/inner.txt',
      'outside/d/sub/deep.txt',
      `outside/d/${canary}.txt`,
      'home/.ssh/id_rsa',
      'runs/r1-evil/secret.txt',
      'runs/r1/workspace-evil/secret.txt',
      'runs/r1/logs/events.jsonl',
      `${canary}.txt`,
      `runs/${canary}.txt`,
      `runs/r1/${canary}.txt`,
    ])
      this.put(join(this.base, path), `${canary}\n`)
    this.put(join(this.reference, 'doc.txt'), 'reference text\n')
    this.put('note.txt', 'hello note\n')
    this.put('sub/a.txt', 'alpha\n')
  }

  /** Host path of a name in the workspace; absolute paths stay. */
  at(path: string): string {
    return path.startsWith('/') ? path : join(this.workspace, path)
  }

  put(path: string, content: string | Buffer): void {
    mkdirSync(dirname(this.at(path)), { recursive: true })
    writeFileSync(this.at(path), content)
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true })
    symlinkSync(target, this.at(path))
  }

  /** Content of a file, or null when nothing is there. */
  contentOf(path: string): string | null {
    try {
      return readFileSync(this.at(path), 'utf8')
    } catch {
      return null
    }
  }

  /** Changes a mode until the case ends. */
  chmod(path: string, mode: number): void {
    const { mode: before } = lstatSync(this.at(path))
    chmodSync(this.at(path), mode)
    this.atEnd(() => chmodSync(this.at(path), before))
  }

  /** Runs when the case ends, last first. */
  atEnd(undo: () => unknown): void {
    this.#undo.push(undo)
  }

  /** Every name outside of the writable mounts with its kind, mode, time and content. */
  snapshotOutside(): string[] {
    return this.#describe(this.base)
  }

  #describe(folder: string): string[] {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      if (path === this.workspace || path === this.deliverables) return []
      return [describeEntry(entry, path), ...(entry.isDirectory() ? this.#describe(path) : [])]
    })
  }

  async remove(): Promise<void> {
    for (const undo of this.#undo.splice(0).reverse()) await undo()
    rmSync(this.base, { recursive: true, force: true, maxRetries: 5 })
  }
}

function describeEntry(entry: Dirent, path: string): string {
  const { mode, mtimeMs } = lstatSync(path)
  const content = entry.isFile()
    ? hash('sha256', readFileSync(path), 'hex')
    : entry.isSymbolicLink()
      ? readlinkSync(path)
      : ''
  return `${path} ${mode.toString(8)} ${entry.isDirectory() ? '' : mtimeMs} ${content}`
}
