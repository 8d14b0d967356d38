import type { MemoryClient } from '@kgent/contracts'
import type { Dialect } from './dialect.ts'
import { checkOptions, dialectOf, type McpMemoryOptions } from './mcp-memory-options.ts'
import { recallItems } from './recall-items.ts'
import { createSerialQueue } from './serial-queue.ts'
import { createServerLink } from './server-link.ts'
import { type WritableMemory, writeItem } from './write-item.ts'

export interface McpMemoryClient extends MemoryClient {
  /** What a wrapper may rely on. */
  readonly supports: Dialect['supports']
  /** Ends the connection, and a server that was started by `command`; may be called again. */
  close(): Promise<void>
}

/**
 * An MCP server as memory. Connects at the first call.
 * **Throws:** `config_invalid` for options that cannot work.
 */
export function createMcpMemoryClient(options: McpMemoryOptions): McpMemoryClient {
  checkOptions(options)
  const dialect = dialectOf(options)
  const link = createServerLink(options, dialect.tools)
  const memory: WritableMemory = {
    dialect,
    link,
    turn: options.concurrentWrites ? (work) => work() : createSerialQueue(),
  }
  return {
    recallMemory: (query, scope, limit, recallOptions = {}) =>
      recallItems(memory, { query, scope, limit }, recallOptions),
    writeMemory: (content, scope, tags, writeOptions = {}) =>
      writeItem(memory, { content, scope, tags }, writeOptions),
    close: () => link.close(),
    supports: dialect.supports,
    ...(options.scopes && { scopes: options.scopes }),
  }
}
