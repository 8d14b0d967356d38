import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createMcpMemoryClient,
  type McpMemoryClient,
  type McpMemoryOptions,
  type McpMemoryTools,
} from '@kgent/memory-mcp'
import { afterAll } from 'vitest'

/** The mapping of `stub-server.mjs`. */
export const STUB_TOOLS: McpMemoryTools = {
  recall: {
    tool: 'search',
    arguments: { q: '{query}', top: '{limit}' },
    items: { at: 'results', id: 'id', content: 'memory', scope: 'user_id' },
  },
  write: {
    tool: 'remember',
    arguments: { text: '{content}', user: '{scope}', labels: '{tags}', note: 'key {key}' },
    id: 'result.id',
  },
}

const STUB_SERVER = fileURLToPath(new URL('./stub-server.mjs', import.meta.url))

/** Clients of servers with a fault, all ended after the tests of a `describe`. */
export function stubClients() {
  const folder = mkdtempSync(join(tmpdir(), 'kgent-mcp-'))
  const file = join(folder, 'stored.jsonl')
  const clients: McpMemoryClient[] = []
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()))
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    connect(fault: string, options: Partial<McpMemoryOptions> = {}): McpMemoryClient {
      const args = [STUB_SERVER, fault, file]
      const client = createMcpMemoryClient({ command: process.execPath, args, tools: STUB_TOOLS, ...options })
      clients.push(client)
      return client
    },
    stored(): { memory: string; user_id: string; labels: string[]; note: string }[] {
      const lines = readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n').filter(Boolean)
      return lines.map((line) => JSON.parse(line))
    },
  }
}
