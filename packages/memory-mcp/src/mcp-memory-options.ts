import { KgentError } from '@kgent/contracts'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Dialect } from './dialect.ts'
import { mappedDialect } from './mapped-dialect.ts'
import { checkTools, type McpMemoryTools } from './mcp-memory-tools.ts'
import { serverMemoryDialect } from './server-memory-dialect.ts'

/** Which server (`command`, `transport` or `client`) and how it is spoken to (`preset` or `tools`). */
export interface McpMemoryOptions {
  /** A program that speaks MCP over its standard streams; started at the first call, and again when it has ended. */
  command?: string
  args?: readonly string[]
  /** Besides the few harmless variables that the MCP SDK passes on. */
  env?: Readonly<Record<string, string>>
  /** Makes the way to a server, once for each connection. */
  transport?: () => Transport
  /** A connected client of the host's own; `close()` leaves it open. */
  client?: Client
  preset?: 'server-memory'
  tools?: McpMemoryTools
  /** Whether the server keeps every one of several writes at once. Default false: one write at a time. */
  concurrentWrites?: boolean
  /** The longest wait for an answer. Default 10,000. */
  callTimeoutMs?: number
  /** The longest wait for the server to start. Default 30,000. */
  connectTimeoutMs?: number
  /** The scopes that the host allows. Default: any. */
  scopes?: readonly string[]
}

/** **Throws:** `config_invalid` unless there is one way to the server and sensible limits. */
export function checkOptions(options: McpMemoryOptions): void {
  const ways = [options.command, options.transport, options.client].filter((way) => way !== undefined)
  if (ways.length !== 1)
    throw new KgentError('config_invalid', 'Give one of `command`, `transport` and `client`.')
  for (const name of ['callTimeoutMs', 'connectTimeoutMs'] as const) {
    const value = options[name] ?? 1
    if (Number.isInteger(value) && value > 0 && value < 2 ** 31) continue
    throw new KgentError('config_invalid', `\`${name}\` is a whole number of milliseconds above 0.`)
  }
}

/** **Throws:** `config_invalid` unless there is either a known preset or a mapping that can work. */
export function dialectOf({ preset, tools }: McpMemoryOptions): Dialect {
  if (preset === 'server-memory' && tools === undefined) return serverMemoryDialect()
  if (preset === undefined && tools !== undefined) {
    checkTools(tools)
    return mappedDialect(tools)
  }
  throw new KgentError('config_invalid', 'Give either `preset: "server-memory"` or a mapping in `tools`.')
}
