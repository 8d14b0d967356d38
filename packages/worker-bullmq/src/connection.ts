import { KgentError } from '@kgent/contracts'
import type { ConnectionOptions } from 'bullmq'
import type { RedisOptions } from 'ioredis'

/** A Redis server: `redis[s]://user:password@host:port/db`, or the options of `ioredis`. */
export type Connection = string | RedisOptions

/**
 * Options for every client of one sender or worker. Commands wait for a server that is away: what bounds a call is its
 * own deadline.
 *
 * **Throws:** `KgentError` (`config_invalid`) for an address that is none.
 */
export function redisOptions(connection: Connection): RedisOptions {
  const given = typeof connection === 'string' ? fromAddress(connection) : connection
  return { retryStrategy: (times) => Math.min(50 * times, 1_000), ...given, maxRetriesPerRequest: null }
}

function fromAddress(address: string): RedisOptions {
  const url = URL.parse(address)
  if (url?.protocol !== 'redis:' && url?.protocol !== 'rediss:') {
    throw new KgentError(
      'config_invalid',
      'The connection must be redis://host:port or rediss://host:port, or an object with host and port.',
    )
  }
  return {
    host: url.hostname || '127.0.0.1',
    port: Number(url.port || 6379),
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(url.pathname.length > 1 && { db: Number(url.pathname.slice(1)) }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
  }
}

/** The same options for BullMQ, whose types do not let an absent option be undefined. */
export function bullOptions(redis: RedisOptions): ConnectionOptions {
  return redis as ConnectionOptions
}
