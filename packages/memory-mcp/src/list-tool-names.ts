import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'

const MOST_PAGES = 100

/** The names of all tools of a server. Asked past the SDK's cache, which would then check and refuse answers. */
export async function listToolNames(client: Client, timeout: number): Promise<string[]> {
  const names: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const answer = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, { timeout })
    names.push(...answer.tools.map(({ name }) => name))
    cursor = answer.nextCursor
    if (cursor === undefined) break
  }
  return names
}
