import { createMcpMemoryClient, type McpMemoryTools } from '@kgent/memory-mcp'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { STUB_TOOLS, stubClients } from './stub-client.ts'

describe('a mapping of tools', () => {
  const stub = stubClients()

  it('names the tools, fills in the arguments and finds the parts of the answers', async () => {
    const client = stub.connect('')
    const options = { idempotencyKey: 'key-1' }
    const written = await client.writeMemory('says {scope} and {key}', 'team', ['a', 'b'], options)
    expect(written).toEqual({ status: 'written', id: '1', error: null })
    expect(stub.stored()).toMatchObject([
      { memory: 'says {scope} and {key}', user_id: 'team', labels: ['a', 'b'], note: 'key key-1' },
    ])
    expect(await client.recallMemory('says', 'team', 5)).toEqual([
      { id: '1', content: 'says {scope} and {key}', scope: 'team', score: null, metadata: {} },
    ])
  })

  it('drops items of every other scope, whatever the server returns', async () => {
    const client = stub.connect('')
    for (const scope of ['one', 'One', 'one ', 'one/a'])
      await client.writeMemory(`shared by ${scope}`, scope, [])
    const found = await client.recallMemory('shared', 'one', 10)
    expect(found.map(({ content }) => content)).toEqual(['shared by one'])
  })

  it.each<[string, (tools: McpMemoryTools) => void]>([
    ['{query}', ({ recall }) => (recall.arguments = {})],
    ['{content}', ({ write }) => (write.arguments = { user: '{scope}' })],
    ['scopes would be mixed', ({ write }) => (write.arguments = { text: '{content}' })],
    ['{text}', ({ write }) => (write.arguments.text = 'a {text}')],
    ['{content}', ({ recall }) => (recall.arguments.q = [{ deep: '{content}' }])],
    ['trustScopeOfServer', ({ recall }) => delete recall.items.scope],
    [
      'could not know it',
      ({ recall }) => (recall.items = { at: '', content: 'text', trustScopeOfServer: true }),
    ],
  ])('that cannot work is refused at construction, naming %s', (named, spoil) => {
    const tools = structuredClone(STUB_TOOLS)
    spoil(tools)
    const create = (): unknown => createMcpMemoryClient({ command: 'none', tools })
    expect(create).toThrow(expect.objectContaining({ code: 'config_invalid' }))
    expect(create).toThrow(named)
  })
})

describe('options of an MCP memory', () => {
  const tools = STUB_TOOLS

  it.each([
    {},
    { tools },
    { command: 'a', transport: () => InMemoryTransport.createLinkedPair()[0], tools },
    { command: 'a' },
    { command: 'a', preset: 'server-memory' as const, tools },
    { command: 'a', preset: 'other' as 'server-memory' },
    { command: 'a', tools, callTimeoutMs: 0 },
    { command: 'a', tools, connectTimeoutMs: 0.5 },
  ])('that cannot work are refused at construction: %#', (options) => {
    expect(() => createMcpMemoryClient(options)).toThrow(expect.objectContaining({ code: 'config_invalid' }))
  })

  it('pass on the scopes that the host allows', () => {
    expect(createMcpMemoryClient({ command: 'a', tools, scopes: ['team'] }).scopes).toEqual(['team'])
    expect(createMcpMemoryClient({ command: 'a', tools }).scopes).toBeUndefined()
  })
})

describe('a server reached in other ways', () => {
  /** Keeps one memory for each scope, and says no scope in its items. */
  const startServer = async () => {
    const server = new McpServer({ name: 'scoped', version: '1' })
    const kept = new Map<string, string[]>()
    server.registerTool(
      'add',
      { inputSchema: { path: z.string(), text: z.string() } },
      async ({ path, text }) => {
        kept.set(path, [...(kept.get(path) ?? []), text])
        return { content: [] }
      },
    )
    const outputSchema = {
      result: z.array(z.object({ body: z.object({ text: z.string() }), rank: z.number() })),
    }
    server.registerTool(
      'find',
      { inputSchema: { path: z.string(), text: z.string() }, outputSchema },
      async ({ path }) => {
        const result = (kept.get(path) ?? []).map((text) => ({ body: { text }, rank: 0.5 }))
        return {
          content: [{ type: 'text', text: 'see the structured content' }],
          structuredContent: { result },
        }
      },
    )
    const [near, far] = InMemoryTransport.createLinkedPair()
    await server.connect(far)
    return near
  }
  const tools: McpMemoryTools = {
    recall: {
      tool: 'find',
      arguments: { path: 'memory/{scope}', text: '{query}' },
      items: {
        at: 'result',
        content: 'body.text',
        score: 'rank',
        metadata: 'body',
        trustScopeOfServer: true,
      },
    },
    write: { tool: 'add', arguments: { path: 'memory/{scope}', text: '{content}' }, success: 'accepted' },
  }

  it('through a transport: structured answers, accepted writes, a server that keeps the scopes', async () => {
    const transport = await startServer()
    const client = createMcpMemoryClient({ transport: () => transport, tools, concurrentWrites: true })
    expect(await client.writeMemory('kept', 'team', [])).toEqual({
      status: 'accepted',
      id: null,
      error: null,
    })
    expect(await client.recallMemory('kept', 'team', 5)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        content: 'kept',
        scope: 'team',
        score: 0.5,
        metadata: { text: 'kept' },
      },
    ])
    expect(await client.recallMemory('kept', 'other', 5)).toEqual([])
    await client.close()
  })

  it('through a client of the host, which stays open', async () => {
    const host = new Client({ name: 'host', version: '1' })
    await host.connect(await startServer())
    await host.listTools()
    const client = createMcpMemoryClient({ client: host, tools })
    expect((await client.writeMemory('kept', 'team', [])).status).toBe('accepted')
    await client.close()
    await expect(client.recallMemory('kept', 'team', 5)).rejects.toMatchObject({ code: 'memory_unavailable' })
    expect((await host.listTools()).tools).toHaveLength(2)
    await host.close()
    const late = createMcpMemoryClient({ client: host, tools })
    expect(await late.writeMemory('x', 'team', [])).toMatchObject({
      status: 'error',
      error: { code: 'memory_unavailable' },
    })
  })
})
