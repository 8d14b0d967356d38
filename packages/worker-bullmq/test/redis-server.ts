import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0
/** For the names of suites. */
export const needsRedis = hasRedis ? '' : ' (skipped: no redis-server is installed here)'

/** A real Redis on a free port of this machine, append-only file on, that can be killed and started again. */
export interface RedisServer {
  port: number
  dir: string
  url: string
  /** A client for looking in. */
  client: Redis
  kill(signal?: NodeJS.Signals): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export async function startRedis(options: { args?: string[] } = {}): Promise<RedisServer> {
  const dir = mkdtempSync(join(tmpdir(), 'kgent-redis-'))
  const port = await freePort()
  let server: ChildProcess
  const client = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => 50 })
  client.on('error', () => {})
  const start = async () => {
    const args = [
      '--port',
      `${port}`,
      '--bind',
      '127.0.0.1',
      '--dir',
      dir,
      '--save',
      '',
      '--appendonly',
      'yes',
    ]
    server = spawn('redis-server', [...args, ...(options.args ?? [])], { stdio: 'ignore' })
    await client.ping()
  }
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  await start()
  return {
    port,
    dir,
    url: `redis://127.0.0.1:${port}`,
    client,
    start,
    kill,
    async stop() {
      client.disconnect()
      await kill('SIGTERM')
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
