import { type JsonObject, KgentError } from '@kgent/contracts'
import { placeholdersIn } from './placeholders.ts'

/**
 * How the tools of a memory server are used, as plain data. In `arguments`, `{query}`, `{scope}` and `{limit}` (recall) or
 * `{content}`, `{scope}`, `{tags}`, `{key}` and `{metadata}` (write) stand for the values. Paths such as `result.items` lead
 * into the JSON of an answer; `''` is all of it.
 */
export interface McpMemoryTools {
  recall: McpRecallTool
  write: McpWriteTool
}

export interface McpRecallTool {
  tool: string
  arguments: JsonObject
  items: McpMemoryItems
}

/** Where the items of an answer are (`at`), and the paths of their parts inside each item. */
export interface McpMemoryItems {
  at: string
  content: string
  /** Items of any other scope are dropped. */
  scope?: string
  /** Where items do not say their scope: the server is relied on to return items of the scope it was asked for only. */
  trustScopeOfServer?: boolean
  /** Default: a hash of the content. */
  id?: string
  score?: string
  metadata?: string
}

export interface McpWriteTool {
  tool: string
  arguments: JsonObject
  /** The path of the new item's id. Default: no id is known. */
  id?: string
  /** What a success means: stored, or taken to be stored later. Default `written`. */
  success?: 'written' | 'accepted'
  /** The path of something that is there, and not false, when the server had the item already. Default: it cannot say. */
  duplicate?: string
  /** Whether the server keeps two writes of one `{key}` as one item, so that a write may be made again. Default false. */
  keepsKeys?: boolean
}

/** **Throws:** `config_invalid` for a mapping that would lose the query, the content or the scope. */
export function checkTools({ recall, write }: McpMemoryTools): void {
  const asked = known(recall.arguments, ['query', 'scope', 'limit'])
  const sent = known(write.arguments, ['content', 'scope', 'tags', 'key', 'metadata'])
  if (!asked.includes('query')) refuse('`recall.arguments` has no `{query}`')
  if (!sent.includes('content')) refuse('`write.arguments` has no `{content}`')
  if (!sent.includes('scope')) refuse('`write.arguments` has no `{scope}`: scopes would be mixed')
  if (write.keepsKeys && !sent.includes('key')) refuse('`write.arguments` has no `{key}` to keep')
  if (recall.items.scope !== undefined) return
  if (!recall.items.trustScopeOfServer) {
    refuse('`recall.items` needs the path of the `scope` in an item, or `trustScopeOfServer: true`')
  }
  if (!asked.includes('scope')) refuse('`recall.arguments` has no `{scope}`: the server could not know it')
}

function known(template: JsonObject, names: readonly string[]): string[] {
  const used = placeholdersIn(template)
  const unknown = used.find((name) => !names.includes(name))
  if (unknown !== undefined) refuse(`\`{${unknown}}\` stands for nothing; there are ${names.join(', ')}`)
  return used
}

function refuse(problem: string): never {
  throw new KgentError('config_invalid', `The mapping of the memory server’s tools cannot work: ${problem}.`)
}
