import type { McpMemoryTools } from '@kgent/memory-mcp'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

/** The mapping of `startKeyedServer`. */
export const KEYED_TOOLS: McpMemoryTools = {
  recall: {
    tool: 'query_notes',
    arguments: { filter: { owner: '{scope}' }, text: '{query}', count: '{limit}' },
    items: { at: 'notes', id: 'uid', content: 'text', scope: 'owner', metadata: 'about' },
  },
  write: {
    tool: 'put_note',
    arguments: {
      note: { owner: '{scope}', text: '{content}', labels: '{tags}', about: '{metadata}' },
      uid: '{key}',
    },
    id: 'uid',
    duplicate: 'existed',
    keepsKeys: true,
  },
}

const Note = z.object({
  owner: z.string(),
  text: z.string(),
  labels: z.array(z.string()),
  about: z.record(z.string(), z.unknown()),
})

/** A memory server within this process that keeps keys and metadata; the way to it. */
export function startKeyedServer(): InMemoryTransport {
  const notes = new Map<string, z.infer<typeof Note>>()
  const server = new McpServer({ name: 'keyed', version: '1' })
  const answer = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] })
  server.registerTool('put_note', { inputSchema: { note: Note, uid: z.string() } }, async ({ note, uid }) => {
    const id = `${note.owner}/${uid}`
    const existed = notes.has(id)
    if (!existed) notes.set(id, note)
    return answer({ uid: id, existed })
  })
  server.registerTool(
    'query_notes',
    { inputSchema: { filter: z.object({ owner: z.string() }), text: z.string(), count: z.number() } },
    async ({ filter, text, count }) => {
      // Like many servers, it is careless about what belongs to whom.
      const found = [...notes].filter(
        ([, note]) =>
          note.owner.toLowerCase().startsWith(filter.owner.toLowerCase()) && note.text.includes(text),
      )
      return answer({ notes: found.slice(0, count).map(([uid, note]) => ({ uid, ...note })) })
    },
  )
  const [near, far] = InMemoryTransport.createLinkedPair()
  void server.connect(far)
  return near
}
