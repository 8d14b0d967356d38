import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { memoryClientCases } from '@kgent/memory/testing'
import { createMcpMemoryClient } from '@kgent/memory-mcp'
import { afterAll, describe, it } from 'vitest'
import { KEYED_TOOLS, startKeyedServer } from './keyed-server.ts'

describe('the contract of a memory client, by @modelcontextprotocol/server-memory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kgent-mcp-'))
  const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'))
  const env = { MEMORY_FILE_PATH: join(folder, 'graph.jsonl') }
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const cases = memoryClientCases(() =>
    createMcpMemoryClient({ command: process.execPath, args: [program], env, preset: 'server-memory' }),
  )
  for (const { name, run } of cases) it(name, run)
})

describe('the contract of a memory client, by a mapping of tools', () => {
  const cases = memoryClientCases(() =>
    createMcpMemoryClient({ transport: startKeyedServer, tools: KEYED_TOOLS }),
  )
  for (const { name, run } of cases) it(name, run)
})
