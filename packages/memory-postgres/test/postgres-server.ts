import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

export const PASSWORD = 'pa55-of-the-tests'
const USER = 'keeper'

export interface PostgresServer {
  readonly port: number
  url(database?: string): string
  start(): Promise<void>
  /** SIGINT: connections are ended; SIGQUIT: like a crash. */
  stop(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>
  remove(): Promise<void>
}

/** The folder of `initdb` and `postgres`, or null where no server is installed. */
export const serverBinaries: string | null = findBinaries()

/** Why cases with a real server are skipped, as a suffix of a test's name. */
export const skipReason = serverBinaries ? '' : ' (skipped: no PostgreSQL server is installed here)'

/** A PostgreSQL of its own in a temporary folder, on a free port of the loopback interface, started. */
export async function startPostgres(): Promise<PostgresServer> {
  if (!serverBinaries) throw new Error('no PostgreSQL server is installed here')
  const bin = serverBinaries
  const owner = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'kgent-postgres-'))
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 })
  if (owner) {
    chownSync(folder, owner.uid, owner.gid)
    chownSync(passwordFile, owner.uid, owner.gid)
  }
  const init = [
    '-D',
    data,
    '-U',
    USER,
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--no-sync',
    '-E',
    'UTF8',
  ]
  execFileSync(join(bin, 'initdb'), [...init, '--locale=C.UTF-8'], { ...owner, cwd: folder, stdio: 'pipe' })

  const port = await freePort()
  let running: ChildProcess | undefined
  const server: PostgresServer = {
    port,
    url: (database = 'postgres') => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`,
    async start() {
      if (running) return
      const settings = [
        'listen_addresses=127.0.0.1',
        'unix_socket_directories=',
        'fsync=off',
        'max_connections=60',
      ]
      const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
      running = spawn(join(bin, 'postgres'), args, {
        ...owner,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      // A test run that is cut off must not leave a server behind.
      const child = running
      process.once('exit', () => child.kill('SIGQUIT'))
      await ready(running)
    },
    async stop(signal = 'SIGINT') {
      const child = running
      running = undefined
      if (!child || child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
    async remove() {
      await server.stop('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

async function ready(child: ChildProcess): Promise<void> {
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (log.includes('ready to accept connections')) resolve()
    })
    child.on('error', reject)
    child.on('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)))
  })
}

/** PostgreSQL refuses to run as root, so root runs it as somebody else. */
function unprivileged(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  for (const user of ['postgres', 'nobody']) {
    try {
      const id = (flag: string): number =>
        Number(execFileSync('id', [flag, user], { stdio: 'pipe' }).toString())
      return { uid: id('-u'), gid: id('-g') }
    } catch {}
  }
  throw new Error('root needs a user `postgres` or `nobody` to run PostgreSQL as')
}

function findBinaries(): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    '/usr/local/bin',
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return (
    folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))) ?? null
  )
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
